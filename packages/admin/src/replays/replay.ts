import {
  ANATOMY_PARTS,
  type AnatomyPart,
  addReferences,
  anatomyOf,
  answerOffline,
  type Condensation,
  type CondensationPlan,
  callsModel,
  condenseInSteps,
  driveSync,
  expectedCost,
  isDue,
  type LastRun,
  type ModelFacts,
  mayRunAgain,
  needAt,
  openDraft,
  type PlanOptions,
  planCondensation,
  type Recall,
  type RecallMemory,
  recallOf,
  replyOptions,
  type Strategy,
  sumRecalls,
} from "@longhaul/condense/advanced";
import type { Message } from "@longhaul/conversation";
import { sha256 } from "@longhaul/fit";
import { type LoggedCall, type LogReading, promptMessages } from "@longhaul/logs";
import type { TokenCounter } from "@longhaul/models";
import type { SentPrompt } from "./prompts.ts";

/** The calls of a session as a strategy would have sent them to stay within a window. */
export type Replay = ReturnType<typeof replay>;

export interface ReplayStep {
  /** Tokens sent, of the logged part. */
  readonly heldTokens: number;
  /** Tokens unchanged since the previous call; absent if all of that call is unchanged. */
  readonly unchangedTokens?: number;
}

export interface ReplayPlan {
  readonly reading: LogReading;
  readonly prompts: readonly SentPrompt[];
  readonly counter: TokenCounter;
  readonly windowTokens: number;
  readonly model?: ModelFacts | undefined;
  /** Settings of the gateway that differ from the defaults. */
  readonly settings?: Partial<PlanOptions> | undefined;
  /** Shared by all replays of a session. */
  readonly memory: RecallMemory;
}

/**
 * Replays a session with a strategy, by the gateway's rules: strategies with early references use them from the first call on; strategies
 * that need a model condense past the trigger, the others when the prompt no longer fits; the result is reused until the next condensation.
 * Calls no model.
 */
export function replay(strategy: Strategy, plan: ReplayPlan) {
  const { windowTokens, model, settings } = plan;
  const player: Player = {
    strategy,
    plan,
    condensing: planCondensation({
      ...settings,
      strategy,
      fallbacks: [],
      windowTokens,
      ...replyOptions(plan.reading.limits),
      ...(model && { model }),
    }),
    referredTokens: strategy.refersEarly === true ? referredTokens(plan) : undefined,
    recalls: [],
    misfits: 0,
    summaryCostUsd: 0,
    condensed: undefined,
    sentTokens: 0,
  };
  const steps = plan.prompts.map((prompt, index) => {
    const step = play(player, prompt, index);
    player.sentTokens = step.heldTokens;
    return step;
  });
  return {
    steps,
    condensations: player.recalls.length,
    /** Condensations after which the prompt was still too large. */
    misfits: player.misfits,
    /** Cost of its summaries if the session's own model writes them. */
    summaryCostUsd: player.summaryCostUsd,
    /** The conversation as it was last condensed; absent if it never was. */
    condensed: player.condensed?.done.conversation,
    /** Share of the content the assistant used next that was still present after each condensation. */
    recall: sumRecalls(player.recalls),
    /** Tokens of the last prompt that are no longer sent, by type. */
    lost: lostIn(player),
  };
}

interface Player {
  readonly strategy: Strategy;
  readonly plan: ReplayPlan;
  readonly condensing: CondensationPlan;
  /** Tokens saved by references in each prompt, if the strategy adds them from the first call on. */
  readonly referredTokens: readonly number[] | undefined;
  readonly recalls: Recall[];
  misfits: number;
  summaryCostUsd: number;
  condensed: { readonly done: Condensation; readonly rawTokens: number; readonly run: LastRun } | undefined;
  /** Tokens of the previous call, if this one extends it. */
  sentTokens: number;
}

function play(player: Player, prompt: SentPrompt, index: number): ReplayStep {
  if (!prompt.continues) Object.assign(player, { condensed: undefined, sentTokens: 0 });
  const heldTokens = tokensNow(player, prompt, index);
  const { condensed, strategy } = player;
  const { budget } = player.condensing;
  const mayRun = condensed === undefined || mayRunAgain(condensed.run, { tokens: heldTokens, budget });
  const asksModel = () => callsModel(player.condensing);
  if (!mayRun || !isDue(heldTokens, { strategy, budget, asksModel })) return { heldTokens };
  const messages = promptMessages(player.plan.reading, prompt.call);
  // A log may start with a reply.
  if (messages.length === 0) return { heldTokens };
  const done = condense(player, messages, prompt.call);
  const { tokensBefore, tokensAfter } = done.report;
  const run = { tokensBefore: Math.min(tokensBefore, heldTokens), tokensAfter, targetTokens: budget.targetTokens };
  player.condensed = { done, rawTokens: prompt.heldTokens, run };
  const unchangedTokens = Math.min(player.sentTokens, tokensBeforeChange(done, player.plan.counter));
  return { heldTokens: tokensAfter, unchangedTokens };
}

/** The condensed part stays as it is; later messages are sent unchanged. */
function tokensNow({ condensed, referredTokens: referred }: Player, { heldTokens }: SentPrompt, index: number): number {
  if (condensed === undefined) return heldTokens - (referred?.[index] ?? 0);
  return condensed.done.report.tokensAfter + heldTokens - condensed.rawTokens;
}

function condense(player: Player, messages: readonly Message[], call: LoggedCall): Condensation {
  const { plan, condensed } = player;
  const { reading, counter, memory } = plan;
  const earlier = condensed?.done.projection;
  const running = condenseInSteps(
    { ...reading.conversation, messages },
    { ...player.condensing, counter, hash: sha256, ...(earlier && { continues: earlier, sent: earlier }) },
  );
  const done = driveSync(running, (ask) => {
    player.summaryCostUsd += plan.model?.prices === undefined ? 0 : expectedCost(ask, plan.counter, plan.model.prices);
    return answerOffline(ask, counter);
  });
  if (!done.fits) player.misfits += 1;
  const whole = [...messages, ...reading.conversation.messages.slice(call.prompt.to)];
  player.recalls.push(recallOf(needAt(whole, messages.length, memory), done.conversation.messages, memory));
  return done;
}

function lostIn({ condensed, plan: { reading, counter } }: Player): Partial<Record<AnatomyPart, number>> {
  if (condensed === undefined) return {};
  const { projection, conversation } = condensed.done;
  const raw = { ...reading.conversation, messages: reading.conversation.messages.slice(0, projection.messages) };
  const [before, after] = [anatomyOf(raw, counter), anatomyOf(conversation, counter)];
  const lost = ANATOMY_PARTS.map((part) => [part, before.parts[part] - after.parts[part]] as const);
  return Object.fromEntries(lost.filter(([, tokens]) => tokens > 0));
}

function tokensBeforeChange({ conversation, firstChanged }: Condensation, counter: TokenCounter): number {
  return counter.countConversation({ ...conversation, messages: conversation.messages.slice(0, firstChanged) });
}

interface Sent {
  readonly reading: LogReading;
  readonly prompts: readonly SentPrompt[];
  readonly counter: TokenCounter;
}

/** Returns the tokens that each prompt saves with references from the first call on. A message keeps the form in which it was first sent. */
export function referredTokens({ reading, prompts, counter }: Sent): number[] {
  const saved: number[] = [];
  for (const stretch of stretches(prompts)) {
    const last = stretch.at(-1);
    const gains = last === undefined ? [] : gainsUpTo(last, { reading, counter });
    for (const { call } of stretch) saved.push(gains[promptMessages(reading, call).length] ?? 0);
  }
  return saved;
}

function stretches(prompts: readonly SentPrompt[]): SentPrompt[][] {
  const found: SentPrompt[][] = [];
  for (const prompt of prompts) {
    const open = prompt.continues ? found.at(-1) : undefined;
    if (open === undefined) found.push([prompt]);
    else open.push(prompt);
  }
  return found;
}

/** Returns the tokens saved by the first n messages of a prompt, for each n. */
function gainsUpTo({ call }: SentPrompt, { reading, counter }: Omit<Sent, "prompts">): number[] {
  const messages = promptMessages(reading, call);
  const draft = openDraft({ ...reading.conversation, messages });
  const options = { from: 0, references: "results", consolidates: true, counter, hash: sha256 } as const;
  const referring = addReferences(draft, options).conversation.messages;
  const gains = [0];
  for (const [index, message] of messages.entries()) {
    const after = referring[index] ?? message;
    const gain = after === message ? 0 : counter.countMessage(message) - counter.countMessage(after);
    gains.push((gains.at(-1) ?? 0) + gain);
  }
  return gains;
}
