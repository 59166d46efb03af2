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
  isCurrent,
  isPrefix,
  matchesMessages,
  piecesOf,
  prefixHash,
  type SummaryPiece,
} from "./context-state.ts";

/** Options of `buildContext`. */
export interface ContextOptions {
  readonly maxContextTokens: number;
  readonly counter: TokenCounter;
  /** Milliseconds since 1970, for the timestamp of a new state. */
  readonly now: () => number;
  /** The configuration of `sandwich`; its defaults fill the gaps. */
  readonly config?: unknown;
  /** Share of the context, 0 to 1, above which it is compressed. @default 0.7 */
  readonly compressionThreshold?: number;
  /** Answers the ask for a summary, usually by calling a model. Without it, summaries are written without a model. */
  readonly summarize?: (ask: Ask) => Promise<Answer>;
  readonly hash?: Hash;
}

/** The messages to send, and the state to store for the next turn. */
export interface ContextResult {
  readonly messages: readonly Message[];
  readonly summaryUsed: boolean;
  readonly tokensUsed: number;
  /** Set if a summary was written: the state that replaces the earlier one. */
  readonly newState: ContextState | undefined;
}

const DEFAULT_THRESHOLD = 0.7;

/** Whether messages exceed the threshold and there is something between the kept ends. */
export function needsCompression(messages: readonly Message[], options: ContextOptions): boolean {
  requireContextLimit(options.maxContextTokens);
  const { preserveTop, preserveBottom } = sandwichConfig(options.config);
  return isOverThreshold(messages, options) && messages.length > preserveTop + preserveBottom;
}

/**
 * Returns the messages to send: all of them below the threshold, otherwise the first and the last with a summary between them. A state that
 * covers exactly the middle is reused; if the middle has grown, the state is reused as long as that is enough, and otherwise updated with
 * only the new messages. Throws `SERVICE_UNAVAILABLE` if a summary fails; the stored state stays valid.
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

/** Returns a summary of messages. Throws `SERVICE_UNAVAILABLE` if the model fails or returns nothing. */
export async function compress(messages: readonly Message[], options: ContextOptions): Promise<string> {
  requireMessages(messages);
  const { maxTokens, prompt, profile } = summaryOptionsOf(sandwichConfig(options.config), SANDWICH_PROMPT);
  const request = { messages, prompt, maxTokens, ...(profile === undefined ? {} : { profile }) };
  return (await answer(askFor(request, options.counter), options)).text;
}

type TextAnswer = Extract<Answer, { kind: "text" }>;

async function answer(ask: Ask, { summarize, counter }: ContextOptions): Promise<TextAnswer> {
  const given = summarize === undefined ? answerOffline(ask, counter) : await summarize(ask).catch(unavailable);
  if (given.kind !== "text") return unavailable(given.kind === "failed" ? given.why : "the answer is not a text");
  if (given.text.trim() === "") return unavailable("the answer is empty");
  return { ...given, text: given.text.trim() };
}

function unavailable(cause: unknown): never {
  const why = cause instanceof Error ? cause.message : String(cause);
  throw new LonghaulError("SERVICE_UNAVAILABLE", `could not summarize the conversation: ${why}`, { cause });
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

/** Returns the conversation with the summary of an earlier turn, if it still covers the start of the middle. */
function knownDraft(
  raw: Draft,
  state: ContextState,
  { middle, options }: { middle: Range; options: ContextOptions },
): Draft | undefined {
  const { hash = pureHash } = options;
  const isUsable = isCurrent(state, middle) || isPrefix(state, middle);
  if (state.strategy !== sandwich.id || !isUsable || !matchesMessages(state, raw.conversation.messages, hash))
    return undefined;
  const { latestUserMessage } = viewOf(raw, options);
  const pieces = piecesOf(state);
  if (pieces.some(({ from, to }) => from <= latestUserMessage && latestUserMessage < to)) return undefined;
  const edits = pieces.map(({ from, to, text }): Edit => {
    return { kind: "replace", from, to, with: [summaryNote(text)], reason: "summarize" };
  });
  return apply(raw, edits, { answers: [], hash });
}

/** Runs `sandwich` on a draft. Returns the draft itself if it would not become smaller. */
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
    prefix: prefixHash(raw.messages, to, hash),
  };
}
