import { isJsonObject, type JsonObject, type JsonValue } from "@longhaul/conversation";
import { codecOf, defined } from "@longhaul/wire";
import type { LogLine } from "../../reading/document.ts";
import { isJsonList, listAt, numberAt, objectAt, textAt, timeAt } from "../../reading/fields.ts";
import type { CallRecord } from "../../reading/reading.ts";

/** Whether a line is an entry of the thread. Other lines describe the session. */
export function isEntry({ value }: LogLine): boolean {
  return textAt(value, "uuid") !== undefined;
}

export function isBoundary(value: JsonObject): boolean {
  return value.type === "system" && value.subtype === "compact_boundary";
}

export function isSummary(value: JsonObject): boolean {
  return value.type === "user" && value.isCompactSummary === true;
}

/** Whether the line is a model's reply and not an error notice of the client, which is never sent. */
export function isReply(value: JsonObject): boolean {
  return value.type === "assistant" && value.isApiErrorMessage !== true;
}

/** Returns the content of a user line in the API's form, or undefined for lines that are only displayed. */
export function userContent(value: JsonObject): JsonValue | undefined {
  if (value.type === "user" && value.isVisibleInTranscriptOnly !== true) return objectAt(value, "message")?.content;
  const attachment = value.type === "attachment" ? objectAt(value, "attachment") : undefined;
  // A prompt queued while the model was busy is logged as an attachment and sent as a message.
  return attachment?.type === "queued_command" ? attachment.prompt : undefined;
}

export function replyBlocks(value: JsonObject): readonly JsonValue[] | undefined {
  const content = objectAt(value, "message")?.content;
  if (typeof content === "string") return content === "" ? [] : [{ type: "text", text: content }];
  return isJsonList(content) ? content : undefined;
}

/** Returns the key that the lines of one reply share. Each block is a separate line. */
export function replyKey({ line, value }: LogLine): string {
  return textAt(objectAt(value, "message"), "id") ?? textAt(value, "requestId") ?? `line ${line}`;
}

/** Returns a key that identifies a block within its reply, or undefined for unknown kinds. */
export function blockKey(block: JsonValue): string | undefined {
  if (!isJsonObject(block)) return undefined;
  const content = textAt(block, "id") ?? textAt(block, "text") ?? textAt(block, "thinking") ?? textAt(block, "data");
  return content === undefined ? undefined : `${textAt(block, "type")} ${content}`;
}

export function callIds(value: JsonObject): string[] {
  return blockFields(value, { type: "tool_use", key: "id" });
}

export function answeredIds(value: JsonObject): string[] {
  return blockFields(value, { type: "tool_result", key: "tool_use_id" });
}

/** Returns the record of the call that a reply's line belongs to, or undefined if the client wrote the reply itself. */
export function callRecord(value: JsonObject): CallRecord | undefined {
  const message = objectAt(value, "message");
  const model = textAt(message, "model");
  if (model === "<synthetic>") return undefined;
  const usage = objectAt(message, "usage");
  const costUsd = numberAt(value, "costUSD");
  const timestampMs = timeAt(value, "timestamp");
  return defined({
    model,
    usage: usage && codecOf("anthropic-messages").decodeUsage(usage),
    costUsd,
    timestampMs,
    outcome: "finished",
  });
}

/** Returns the session's name. Versions use different line types. */
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
