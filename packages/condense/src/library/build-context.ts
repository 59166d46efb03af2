import { type Message, requireContextLimit, requireMessages } from "@longhaul/conversation/advanced";
import { sandwich, sandwichConfig } from "../strategies/sandwich.ts";
import { askFor } from "../summaries/ask.ts";
import { SANDWICH_PROMPT } from "../summaries/prompts.ts";
import { summaryOptionsOf } from "../summaries/ranges.ts";
import {
  answer,
  type CompressOptions,
  type ContextOptions,
  type ContextResult,
  isOverThreshold,
  requireKnownOptions,
  resultOf,
  strategyOf,
} from "./context-options.ts";
import type { ContextState } from "./context-state.ts";
import { hasMiddle, sandwichContext } from "./sandwich-context.ts";
import { strategyContext } from "./strategy-context.ts";

/** Whether messages exceed the threshold and, with `sandwich`, there is something between the kept ends. */
export function needsCompression(messages: readonly Message[], options: ContextOptions): boolean {
  requireKnownOptions(options);
  requireContextLimit(options.maxContextTokens);
  const isSandwich = strategyOf(options).id === sandwich.id;
  return isOverThreshold(messages, options) && (!isSandwich || hasMiddle(messages, options.config));
}

/**
 * Returns the messages to send: all of them below the threshold, otherwise condensed by the strategy. `sandwich` keeps the first and the
 * last messages with a summary between them. The state of an earlier turn is reused as long as that is enough, and otherwise updated with
 * only the new messages. Throws `SERVICE_UNAVAILABLE` if a summary fails; the stored state stays valid.
 */
export async function buildContext(
  messages: readonly Message[],
  cached: ContextState | undefined,
  options: ContextOptions,
): Promise<ContextResult> {
  requireMessages(messages);
  if (!needsCompression(messages, options)) return resultOf(messages, false, options);
  const strategy = strategyOf(options);
  if (strategy.id !== sandwich.id) return await strategyContext(messages, cached, { ...options, strategy });
  const config = sandwichConfig(withoutUserShare(options.config));
  const chosen = { ...options, strategy, config };
  return await (config.userShare === 0 ? sandwichContext : strategyContext)(messages, cached, chosen);
}

/** By default, the library keeps exactly the ends: the range of its summary is the whole middle. */
function withoutUserShare(config: unknown): object {
  return { userShare: 0, ...(typeof config === "object" ? config : {}) };
}

/** Returns a summary of messages with the prompt of `sandwich`. Throws `SERVICE_UNAVAILABLE` if the model fails or returns nothing. */
export async function compress(messages: readonly Message[], options: CompressOptions): Promise<string> {
  requireMessages(messages);
  requireKnownOptions(options, "strategy");
  const { maxTokens, prompt, profile } = summaryOptionsOf(sandwichConfig(options.config), SANDWICH_PROMPT);
  const request = { messages, prompt, maxTokens, ...(profile === undefined ? {} : { profile }) };
  return (await answer(askFor(request, options.counter), options)).text;
}
