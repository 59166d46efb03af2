import { type JsonObject, type Message, type Usage, usageFromInclusive } from "@longhaul/conversation";
import { numberAt, objectAt, textAt, timeAt, tokensAt } from "../../reading/fields.ts";
import type { CallRecord } from "../../reading/reading.ts";

/** What is known around a call: the entry of the reply, and the messages before and after it. */
export interface CallContext {
  readonly entry: JsonObject;
  readonly before: Message | undefined;
  readonly after: Message | undefined;
}

/** What the history says of a call: Cline notes it beside the reply, Roo only in the environment that the user messages describe. */
export function callRecord({ entry, before, after }: CallContext): CallRecord {
  const info = objectAt(entry, "modelInfo");
  const metrics = objectAt(entry, "metrics");
  const environment = environmentOf(before);
  const model = textAt(info, "id") ?? textAt(info, "modelId") ?? environment.match(MODEL)?.[1];
  const usage = metrics && decodeUsage(metrics);
  const costUsd = numberAt(metrics, "cost") ?? costBetween(environment, environmentOf(after));
  const timestampMs = timeAt(entry, "ts");
  return {
    ...(model !== undefined && { model }),
    ...(usage !== undefined && { usage }),
    ...(costUsd !== undefined && { costUsd }),
    ...(timestampMs !== undefined && { timestampMs }),
    outcome: "finished",
  };
}

/** Both spellings that Cline has had; in both the input includes what was cached. */
function decodeUsage(metrics: JsonObject): Usage | undefined {
  const tokens = objectAt(metrics, "tokens");
  if (tokens === undefined && numberAt(metrics, "inputTokens") === undefined) return undefined;
  return usageFromInclusive({
    inputTokens: tokensAt(tokens, "prompt") + tokensAt(metrics, "inputTokens"),
    cacheReadTokens: tokensAt(tokens, "cached") + tokensAt(metrics, "cacheReadTokens"),
    cacheWriteTokens: tokensAt(metrics, "cacheWriteTokens"),
    outputTokens: tokensAt(tokens, "completion") + tokensAt(metrics, "outputTokens"),
  });
}

const ENVIRONMENT = "<environment_details>";
const MODEL = /<model>([^<\n]+)<\/model>/;
/** What the task has cost so far, in whole cents. */
const COST = /^# Current Cost\n\$(\d+(?:\.\d+)?)/m;
const CENTS = 100;

/** The newest description of the environment in a message; earlier ones may be quotes in a file that was read. */
function environmentOf(message: Message | undefined): string {
  const texts = (message?.blocks ?? []).flatMap((block) => (block.type === "text" ? block.text : []));
  const newest = texts.findLast((text) => text.includes(ENVIRONMENT)) ?? "";
  return newest.slice(Math.max(0, newest.lastIndexOf(ENVIRONMENT)));
}

function costBetween(before: string, after: string): number | undefined {
  const from = before.match(COST)?.[1];
  const to = after.match(COST)?.[1];
  if (from === undefined || to === undefined || Number(to) < Number(from)) return undefined;
  return (Math.round(Number(to) * CENTS) - Math.round(Number(from) * CENTS)) / CENTS;
}
