import { ANATOMY_PARTS, findStrategy } from "@longhaul/condense/advanced";
import type { LoggedCall, LogReading } from "@longhaul/logs";
import type { ReplayAnswer } from "../api/replays.ts";
import { promptsOf } from "../replays/prompts.ts";
import { replayStrategies } from "../replays/session-analysis.ts";
import { type JobContext, measure } from "./preview.ts";
import type { ReplayJob } from "./protocol.ts";

/** Replays a session with one strategy by the gateway's settings, in the model's own window or the requested one. */
export async function replaySession({ text, strategy: id }: ReplayJob, context: JobContext): Promise<ReplayAnswer> {
  const { reading: read, terms, counter } = await measure(text, context);
  const reading = withCalls(read);
  const prompts = promptsOf(reading, counter);
  const strategy = findStrategy(id);
  const { plan, size } = terms;
  const windowTokens = size.windowTokens ?? plan.windowTokens;
  const session = { reading, prompts, counter, windowTokens, model: plan.model, settings: plan };
  const { sentTokens, costUsd, results } = replayStrategies([strategy], session);
  const [result] = results;
  const { references } = result?.recall ?? { references: { hit: 0, of: 0 } };
  const lost = ANATOMY_PARTS.map((part) => ({ part, tokens: result?.lost[part] ?? 0 })).filter(
    ({ tokens }) => tokens > 0,
  );
  return {
    strategy: id,
    name: strategy.name,
    model: terms.model,
    windowTokens,
    requests: prompts.length,
    condensations: result?.condensations ?? 0,
    fits: result?.misfits === 0 && Math.max(0, ...result.curve) <= windowTokens,
    sentTokens: result?.sentTokens ?? sentTokens,
    untouchedTokens: sentTokens,
    costUsd: result?.costUsd ?? null,
    untouchedUsd: costUsd,
    summaryUsd: result?.summaryCostUsd ?? null,
    recall: references.of === 0 ? null : references.hit / references.of,
    lost: lost.toSorted((a, b) => b.tokens - a.tokens),
  };
}

/** A request's body records no calls: each reply in it was one. */
function withCalls(reading: LogReading): LogReading {
  const { calls, conversation } = reading;
  if (calls.length > 0) return reading;
  const { messages } = conversation;
  const replies = [...messages.keys()].filter(
    (index) => index > 0 && messages[index]?.role === "assistant" && messages[index - 1]?.role !== "assistant",
  );
  const ends = messages.at(-1)?.role === "user" ? [...replies, messages.length] : replies;
  return { ...reading, calls: ends.map((to): LoggedCall => ({ outcome: "finished", prompt: { from: 0, to } })) };
}
