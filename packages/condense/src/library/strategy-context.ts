import {
  type Conversation,
  isJsonObject,
  type Message,
  pureHash,
  stableStringify,
} from "@longhaul/conversation/advanced";
import { type Condensation, condenseInSteps } from "../condense-in-steps.ts";
import { parseConfig, type Strategy } from "../contract/strategy.ts";
import { drive } from "../engine/run.ts";
import { planCondensation } from "../plan-condensation.ts";
import { PROJECTION_VERSION, type Projection, project } from "../rewrite/projection.ts";
import {
  answer,
  type ContextOptions,
  type ContextResult,
  contextBudget,
  isOverThreshold,
  resultOf,
} from "./context-options.ts";
import { type ContextState, matchesMessages, prefixHash } from "./context-state.ts";

type ChosenOptions = ContextOptions & { readonly strategy: Strategy };

/**
 * Condenses messages with a strategy. A state of the same strategy and configuration is reused as long as that is enough, and otherwise
 * continued: its summaries are updated with only the new messages.
 */
export async function strategyContext(
  messages: readonly Message[],
  cached: ContextState | undefined,
  options: ChosenOptions,
): Promise<ContextResult> {
  const { hash = pureHash } = options;
  const conversation: Conversation = { system: [], tools: [], messages };
  const continues = cached && usableProjection(cached, messages, options);
  if (continues !== undefined) {
    const known = project(conversation, continues, hash).conversation.messages;
    if (!isOverThreshold(known, options)) return resultOf(known, hasSummary(continues), options);
  }
  const condensed = await run(conversation, continues, options);
  const { projection } = condensed;
  const isUnchanged = condensed.conversation === conversation;
  const result = resultOf(condensed.conversation.messages, hasSummary(projection), options);
  return isUnchanged ? result : { ...result, newState: stateOf(condensed, messages, options) };
}

/** Returns the projection of a state that was made by this strategy and configuration for the start of these messages. */
function usableProjection(
  state: ContextState,
  messages: readonly Message[],
  options: ChosenOptions,
): Projection | undefined {
  const { projection } = state;
  const isOwn = state.strategy === options.strategy.id && state.configHash === configHash(options);
  const isUsable = isOwn && projection?.version === PROJECTION_VERSION;
  return isUsable && matchesMessages(state, messages, options.hash ?? pureHash) ? projection : undefined;
}

/** Returns the hash of a configuration with its defaults. */
function configHash({ strategy, config, hash = pureHash }: ChosenOptions): string {
  const effective = parseConfig(strategy, config);
  return hash(isJsonObject(effective) ? stableStringify(effective) : String(effective));
}

function hasSummary({ entries }: Projection): boolean {
  return entries.some(({ kind }) => kind === "made");
}

async function run(
  conversation: Conversation,
  continues: Projection | undefined,
  options: ChosenOptions,
): Promise<Condensation> {
  const { strategy, config, counter, maxContextTokens, hash = pureHash } = options;
  const plan = planCondensation({
    strategy,
    configs: { [strategy.id]: config },
    fallbacks: [],
    windowTokens: maxContextTokens,
    budget: contextBudget(options),
  });
  const running = condenseInSteps(conversation, { ...plan, counter, hash, ...(continues && { continues }) });
  return await drive(running, (asks) => Promise.all(asks.map((ask) => answer(ask, options))));
}

function stateOf({ projection }: Condensation, messages: readonly Message[], options: ChosenOptions): ContextState {
  const { strategy, now, hash = pureHash } = options;
  const made = projection.entries.flatMap((entry) => (entry.kind === "made" ? entry.message.blocks : []));
  const texts = made.flatMap((block) => (block.type === "text" ? [block.text] : []));
  return {
    strategy: strategy.id,
    summary: texts.join("\n\n"),
    summaryRange: [0, projection.messages],
    compressedAt: new Date(now()).toISOString(),
    prefix: prefixHash(messages, projection.messages, hash),
    configHash: configHash(options),
    projection,
  };
}
