import { isJsonObject, type JsonObject, type JsonValue } from "@longhaul/conversation";
import { codecOf } from "@longhaul/wire";
import type { LogLine } from "../../reading/document.ts";
import { isJsonList, listAt, numberAt, objectAt, textAt, timeAt } from "../../reading/fields.ts";
import type { CallRecord } from "../../reading/reading.ts";

/** Whether a line is an entry of the thread: something said, attached or noted. Other lines are about the session. */
export function isEntry({ value }: LogLine): boolean {
  return textAt(value, "uuid") !== undefined;
}

/** Whether the line stands where older messages left the prompt. */
export function isBoundary(value: JsonObject): boolean {
  return value.type === "system" && value.subtype === "compact_boundary";
}

/** Whether the line is the summary that replaced them. */
export function isSummary(value: JsonObject): boolean {
  return value.type === "user" && value.isCompactSummary === true;
}

/**
 * Whether the line holds a model's reply. Error notices that the client wrote itself are no replies, and it never sends them.
 */
export function isReply(value: JsonObject): boolean {
  return value.type === "assistant" && value.isApiErrorMessage !== true;
}

/** What a user line says, in the words of the API; nothing for lines that are only shown. */
export function userContent(value: JsonObject): JsonValue | undefined {
  if (value.type === "user" && value.isVisibleInTranscriptOnly !== true) return objectAt(value, "message")?.content;
  const attachment = value.type === "attachment" ? objectAt(value, "attachment") : undefined;
  // What the user typed while the model was busy is kept as an attachment, and sent as a message.
  return attachment?.type === "queued_command" ? attachment.prompt : undefined;
}

/** The blocks of a reply's line. */
export function replyBlocks(value: JsonObject): readonly JsonValue[] | undefined {
  const content = objectAt(value, "message")?.content;
  if (typeof content === "string") return content === "" ? [] : [{ type: "text", text: content }];
  return isJsonList(content) ? content : undefined;
}

/** What the lines of one reply share: a line is written for each block of it. */
export function replyKey({ line, value }: LogLine): string {
  return textAt(objectAt(value, "message"), "id") ?? textAt(value, "requestId") ?? `line ${line}`;
}

/** What tells a block from the others of its reply; nothing for kinds of which that is not known. */
export function blockKey(block: JsonValue): string | undefined {
  if (!isJsonObject(block)) return undefined;
  const said = textAt(block, "id") ?? textAt(block, "text") ?? textAt(block, "thinking") ?? textAt(block, "data");
  return said === undefined ? undefined : `${textAt(block, "type")} ${said}`;
}

/** Ids of the calls that a reply's line makes. */
export function callIds(value: JsonObject): string[] {
  return blockFields(value, { type: "tool_use", key: "id" });
}

/** Ids of the calls that a user line answers. */
export function answeredIds(value: JsonObject): string[] {
  return blockFields(value, { type: "tool_result", key: "tool_use_id" });
}

/** What the line says of the call that it is the reply to; nothing where the client wrote the reply itself. */
export function callRecord(value: JsonObject): CallRecord | undefined {
  const message = objectAt(value, "message");
  const model = textAt(message, "model");
  if (model === "<synthetic>") return undefined;
  const usage = objectAt(message, "usage");
  const costUsd = numberAt(value, "costUSD");
  const timestampMs = timeAt(value, "timestamp");
  return {
    ...(model !== undefined && { model }),
    ...(usage !== undefined && { usage: codecOf("anthropic-messages").decodeUsage(usage) }),
    ...(costUsd !== undefined && { costUsd }),
    ...(timestampMs !== undefined && { timestampMs }),
    outcome: "finished",
  };
}

/** A name that the session was given; the line types changed with the versions. */
export function titleText(value: JsonObject): string | undefined {
  switch (value.type) {
    case "summary":
      return textAt(value, "summary");
    case "ai-title":
      return textAt(value, "aiTitle");
    case "custom-title":
      return textAt(value, "customTitle");
    default:
      return undefined;
  }
}

function blockFields(value: JsonObject, { type, key }: { readonly type: string; readonly key: string }): string[] {
  const blocks = listAt(objectAt(value, "message"), "content") ?? [];
  const fields = blocks.filter(isJsonObject).map((block) => (block.type === type ? textAt(block, key) : undefined));
  return fields.filter((field) => field !== undefined);
}
