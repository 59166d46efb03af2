import {
  type Hash,
  LonghaulError,
  type Message,
  pureHash,
  requireContextLimit,
  requireMessages,
} from "@longhaul/conversation";
import type { TokenCounter } from "@longhaul/models";
import { budgetOf } from "../budget/budget.ts";
import { type Limits, makeView, type View } from "../contract/view.ts";
import { answerOffline } from "../coverage/digest.ts";
import { type Draft, openDraft } from "../edits/draft.ts";
import type { Answer, Ask, Edit } from "../edits/edit.ts";
import { runPasses } from "../engine/run.ts";
import { apply } from "../rewrite/apply.ts";
import { sandwich, sandwichConfig } from "../strategies/sandwich.ts";
import { askFor } from "../summaries/ask.ts";
import { SANDWICH_PROMPT } from "../summaries/prompts.ts";
import { middleOf, type Range, summaryIn, summaryNote, summaryOptionsOf } from "../summaries/ranges.ts";
import {
  type ContextState,
  isBeginning,
  isCurrent,
  isMadeFor,
  piecesOf,
  prefixOf,
  type SummaryPiece,
} from "./context-state.ts";

/** How to build a context. */
export interface ContextOptions {
  readonly maxContextTokens: number;
  readonly counter: TokenCounter;
  /** Milliseconds since 1970, for the time that a new state bears. */
  readonly now: () => number;
  /** The configuration of `sandwich`; its defaults fill what is missing. */
  readonly config?: unknown;
  /** Share of the context, 0 to 1, above which it is compressed. @default 0.7 */
  readonly compressionThreshold?: number;
  /** Answers the ask for a summary, usually by calling a model. Without it, summaries are made without a model. */
  readonly summarize?: (ask: Ask) => Promise<Answer>;
  readonly hash?: Hash;
}

/** What to send to the model, and what to keep for the next turn. */
export interface ContextResult {
  readonly messages: readonly Message[];
  readonly summaryUsed: boolean;
  readonly tokensUsed: number;
  /** Set where a summary was made: the state to keep in the place of the earlier one. */
  readonly newState: ContextState | undefined;
}

const DEFAULT_THRESHOLD = 0.7;

/** Whether messages take more of the context than the threshold allows, and there is something between the kept ends. */
export function needsCompression(messages: readonly Message[], options: ContextOptions): boolean {
  requireContextLimit(options.maxContextTokens);
  const { preserveTop, preserveBottom } = sandwichConfig(options.config);
  return isOverThreshold(messages, options) && messages.length > preserveTop + preserveBottom;
}

/**
 * The messages to send: all of them while they are under the threshold, else the first and the last with a summary between them. A state
 * that stands for exactly the middle is used as it is; one whose middle has grown is used as it is while that is enough, and brought up to
 * date with the new messages alone when it is not. A failed summary throws `SERVICE_UNAVAILABLE` and leaves the state as it was.
 */
export async function buildContext(
  messages: readonly Message[],
  cached: ContextState | undefined,
  options: ContextOptions,
): Promise<ContextResult> {
  requireMessages(messages);
  if (!needsCompression(messages, options)) return resultOf(messages, false, options);
  const raw = openDraft({ system: [], tools: [], messages });
  const middle = middleOf(viewOf(raw, options), sandwichConfig(options.config));
  const start = (cached && knownDraft(raw, cached, { middle, options })) ?? raw;
  const isEnough = start !== raw && !isOverThreshold(start.conversation.messages, options);
  if (isEnough) return resultOf(start.conversation.messages, true, options);
  const draft = await summarizeMiddle(start, options);
  const result = resultOf(draft.conversation.messages, draft !== raw, options);
  return draft === start ? result : { ...result, newState: stateOf(draft, options) };
}

/** A summary of messages. A model that fails, or says nothing, is `SERVICE_UNAVAILABLE`. */
export async function compress(messages: readonly Message[], options: ContextOptions): Promise<string> {
  requireMessages(messages);
  const { maxTokens, prompt, profile } = summaryOptionsOf(sandwichConfig(options.config), SANDWICH_PROMPT);
  const wish = { messages, prompt, maxTokens, ...(profile === undefined ? {} : { profile }) };
  return (await answer(askFor(wish, options.counter), options)).text;
}

type TextAnswer = Extract<Answer, { kind: "text" }>;

async function answer(ask: Ask, { summarize, counter }: ContextOptions): Promise<TextAnswer> {
  const given = summarize === undefined ? answerOffline(ask, counter) : await summarize(ask).catch(unavailable);
  if (given.kind !== "text") return unavailable(given.kind === "failed" ? given.why : "it cannot be read");
  if (given.text.trim() === "") return unavailable("it is empty");
  return { ...given, text: given.text.trim() };
}

function unavailable(cause: unknown): never {
  const why = cause instanceof Error ? cause.message : String(cause);
  throw new LonghaulError("SERVICE_UNAVAILABLE", `there is no summary of the conversation: ${why}`, { cause });
}

function isOverThreshold(messages: readonly Message[], options: ContextOptions): boolean {
  const { maxContextTokens, compressionThreshold = DEFAULT_THRESHOLD } = options;
  return tokensIn(messages, options) > Math.floor(maxContextTokens * compressionThreshold);
}

function tokensIn(messages: readonly Message[], { counter }: ContextOptions): number {
  return messages.reduce((sum, message) => sum + counter.countMessage(message), 0);
}

function resultOf(messages: readonly Message[], summaryUsed: boolean, options: ContextOptions): ContextResult {
  return { messages, summaryUsed, tokensUsed: tokensIn(messages, options), newState: undefined };
}

function viewOf(draft: Draft, { counter, hash = pureHash, ...options }: ContextOptions): View {
  return makeView(draft, { limits: limitsOf(options), counter, hash });
}

function limitsOf(options: Pick<ContextOptions, "maxContextTokens" | "compressionThreshold">): Limits {
  const { maxContextTokens, compressionThreshold = DEFAULT_THRESHOLD } = options;
  return budgetOf({ windowTokens: maxContextTokens, reservedTokens: 0, thresholdPercent: compressionThreshold * 100 });
}

/** The conversation with the summary of an earlier turn in it, if that still stands for the beginning of the middle. */
function knownDraft(
  raw: Draft,
  state: ContextState,
  { middle, options }: { middle: Range; options: ContextOptions },
): Draft | undefined {
  const { hash = pureHash } = options;
  const isUsable = isCurrent(state, middle) || isBeginning(state, middle);
  if (state.strategy !== sandwich.id || !isUsable || !isMadeFor(state, raw.conversation.messages, hash))
    return undefined;
  const { latestUserMessage } = viewOf(raw, options);
  const pieces = piecesOf(state);
  if (pieces.some(({ from, to }) => from <= latestUserMessage && latestUserMessage < to)) return undefined;
  const edits = pieces.map(({ from, to, text }): Edit => {
    return { kind: "replace", from, to, with: [summaryNote(text)], reason: "summarize" };
  });
  return apply(raw, edits, { answers: [], hash });
}

/** Runs `sandwich` on a draft. The draft itself comes back where that would make it no smaller. */
async function summarizeMiddle(start: Draft, options: ContextOptions): Promise<Draft> {
  const { counter, hash = pureHash } = options;
  const passes = sandwich.passes(options.config);
  const running = runPasses(start, { passes, stopsAtTarget: false }, { limits: limitsOf(options), counter, hash });
  let step = running.next();
  while (step.done !== true) step = running.next(await Promise.all(step.value.map((ask) => answer(ask, options))));
  return step.value.draft;
}

function stateOf({ raw, slots }: Draft, { now, hash = pureHash }: ContextOptions): ContextState {
  const pieces = slots.flatMap((slot): SummaryPiece[] => {
    const text = slot.kind === "made" ? summaryIn(slot.message) : undefined;
    return slot.kind === "made" && text !== undefined ? [{ from: slot.from, to: slot.to, text }] : [];
  });
  const to = pieces.at(-1)?.to ?? 0;
  return {
    strategy: sandwich.id,
    summary: pieces.map((piece) => piece.text).join("\n\n"),
    summaryRange: [pieces[0]?.from ?? 0, to],
    compressedAt: new Date(now()).toISOString(),
    ...(pieces.length > 1 ? { pieces } : {}),
    prefix: prefixOf(raw.messages, to, hash),
  };
}
