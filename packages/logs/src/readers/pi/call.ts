import type { JsonObject } from "@longhaul/conversation";
import { numberAt, objectAt, textAt, timeAt, tokensAt } from "../../fields.ts";
import type { CallRecord } from "../../reading.ts";

/** What an entry with an assistant message says of the call. The message's own time is that of the request, the entry's that of the reply. */
export function callRecord(entry: JsonObject): CallRecord {
  const message = objectAt(entry, "message") ?? {};
  const model = textAt(message, "model");
  const usage = objectAt(message, "usage");
  const costUsd = numberAt(objectAt(usage, "cost"), "total");
  const timestampMs = timeAt(entry, "timestamp");
  return {
    ...(model !== undefined && { model }),
    ...(usage !== undefined && { usage: decodeUsage(usage) }),
    ...(costUsd !== undefined && { costUsd }),
    ...(timestampMs !== undefined && { timestampMs }),
    outcome: outcomeOf(message),
  };
}

/** pi takes cached tokens out of `input` for every vendor. */
function decodeUsage(usage: JsonObject) {
  return {
    inputTokens: tokensAt(usage, "input"),
    cacheReadTokens: tokensAt(usage, "cacheRead"),
    cacheWriteTokens: tokensAt(usage, "cacheWrite"),
    outputTokens: tokensAt(usage, "output"),
  };
}

function outcomeOf(message: JsonObject): CallRecord["outcome"] {
  if (message.stopReason === "aborted") return "aborted";
  return message.stopReason === "error" ? "failed" : "finished";
}
