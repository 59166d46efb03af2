import { isJsonObject, type JsonObject, type JsonValue, type Message } from "@longhaul/conversation";
import { decodeMessage } from "../../messages/decode.ts";
import { isJsonList, listAt, textAt } from "../../reading/fields.ts";

/** What a record says, in Gemini's words: the message itself, and what its tools answered. */
export interface RecordContents {
  readonly message: Message | undefined;
  readonly results: Message | undefined;
}

/** Reads what a user's record says; nothing where it says nothing. */
export function decodeUser(record: JsonObject): Message | undefined {
  return decodeParts("user", partsOf(record.content));
}

/** Reads a reply. Newer versions have its calls and thoughts among its parts; older ones beside them. */
export function decodeReply(record: JsonObject): RecordContents {
  const parts = partsOf(record.content).filter((part) => !isEmptyText(part));
  const isWhole = parts.some(
    (part) => isJsonObject(part) && (part.functionCall !== undefined || part.thought === true),
  );
  const tools = (listAt(record, "toolCalls") ?? []).filter(isJsonObject);
  const whole = isWhole ? parts : [...thoughtsOf(record), ...parts, ...tools.map(callPart)];
  return {
    message: decodeParts("model", whole),
    results: decodeParts("user", tools.flatMap(resultParts)),
  };
}

function decodeParts(role: "user" | "model", parts: readonly JsonValue[]): Message | undefined {
  return parts.length === 0 ? undefined : decodeMessage("gemini", { role, parts });
}

/** A text, a part, or a list of both. */
function partsOf(content: JsonValue | undefined): readonly JsonValue[] {
  if (content === undefined || content === null) return [];
  if (isJsonList(content)) return content.map((part) => (typeof part === "string" ? { text: part } : part));
  return [typeof content === "string" ? { text: content } : content];
}

function isEmptyText(part: JsonValue): boolean {
  return isJsonObject(part) && part.text === "" && Object.keys(part).length === 1;
}

function thoughtsOf(record: JsonObject): JsonObject[] {
  return (listAt(record, "thoughts") ?? []).filter(isJsonObject).map((thought) => {
    const subject = textAt(thought, "subject") ?? "";
    const description = textAt(thought, "description") ?? "";
    return { text: subject === "" ? description : `**${subject}** ${description}`, thought: true };
  });
}

function callPart({ id, name, args }: JsonObject): JsonObject {
  return { functionCall: { ...(id !== undefined && { id }), name: name ?? "", args: args ?? {} } };
}

function resultParts({ id, name, result }: JsonObject): readonly JsonValue[] {
  if (result === undefined || result === null) return [];
  if (typeof result !== "string") return partsOf(result);
  return [{ functionResponse: { ...(id !== undefined && { id }), name: name ?? "", response: { output: result } } }];
}
