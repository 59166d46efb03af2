import type { JsonObject } from "@longhaul/conversation";
import type { LogLine } from "../reading/document.ts";

/** Makes lines of a Claude Code log, `u0`, `u1` …, each following the one before by default. */
export function makeLines(...values: readonly JsonObject[]): LogLine[] {
  return values.map((value, index) => ({
    line: index + 1,
    value: { uuid: `u${index}`, parentUuid: index === 0 ? null : `u${index - 1}`, ...value },
  }));
}

export function makeLog(...values: readonly JsonObject[]): string {
  return makeLines(...values)
    .map(({ value }) => JSON.stringify(value))
    .join("\n");
}

export function makeUserLine(content: string | JsonObject[] = "Go.", fields: JsonObject = {}): JsonObject {
  return { type: "user", message: { role: "user", content }, ...fields };
}

/** Makes a line with a reply, or with one block of it if `fields` give the message an id. */
export function makeReplyLine(content: string | JsonObject[] = "Done.", fields: JsonObject = {}): JsonObject {
  const { id, usage, model = "claude-opus-4-5", ...rest } = fields;
  const blocks = typeof content === "string" ? [{ type: "text", text: content }] : content;
  const message = { role: "assistant", model, content: blocks, ...(id && { id }), ...(usage && { usage }) };
  return { type: "assistant", message, ...rest };
}

export function makeBoundary(fields: JsonObject = {}): JsonObject {
  return { type: "system", subtype: "compact_boundary", parentUuid: null, ...fields };
}

export function makeSummaryLine(text: string, fields: JsonObject = {}): JsonObject {
  return makeUserLine(text, { isCompactSummary: true, isVisibleInTranscriptOnly: true, ...fields });
}
