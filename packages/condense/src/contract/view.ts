import type { Conversation, Hash } from "@longhaul/conversation";
import type { TokenCounter } from "@longhaul/models";
import type { Contents } from "../content/content.ts";
import { decompose } from "../content/contents.ts";
import { legalCuts } from "../content/cuts.ts";
import type { MediaLimits } from "../content/media.ts";
import { type Draft, type Origin, originAt, rawStart } from "../edits/draft.ts";
import type { TextPosition } from "../edits/text-position.ts";

/** Size limits of the result. */
export interface Limits {
  readonly windowTokens: number;
  /** Size that the request should not exceed. */
  readonly budgetTokens: number;
  /** Size that the upstream accepts, if the budget is lower: only above it are the newest results cut. @default the budget */
  readonly limitTokens?: number;
  /** Size that condensing aims at. */
  readonly targetTokens: number;
  /** Limits of the upstream other than tokens. */
  readonly media?: MediaLimits;
}

/** Returns the size that the upstream accepts. */
export function limitOf({ budgetTokens, limitTokens = budgetTokens }: Limits): number {
  return limitTokens;
}

/** Shares of a size that are reserved for the note and the marks of omissions, and the tokens in between. */
const NOTE_SHARES = { least: 0.012, most: 0.02 } as const;
const NOTE_TOKENS = 50;

/** Returns the tokens to reserve for the note and the marks in a conversation of this size. */
export function noteReserve(tokens: number): number {
  return Math.ceil(Math.min(tokens * NOTE_SHARES.most, Math.max(NOTE_TOKENS, tokens * NOTE_SHARES.least)));
}

/** Lowers the target by the size of the note and the marks, which are added after the last pass. */
export function withNoteReserve(limits: Limits): Limits {
  return { ...limits, targetTokens: limits.targetTokens - noteReserve(limits.targetTokens) };
}

/** A pass's read-only view: the conversation as the previous passes left it, with derived data. */
export interface View {
  readonly conversation: Conversation;
  readonly limits: Limits;
  readonly counter: TokenCounter;
  readonly hash: Hash;
  /** Tokens of the whole conversation: system, tools and messages. */
  readonly tokens: number;
  readonly messageTokens: readonly number[];
  /** The latest message that the user wrote, which no edit touches; -1 if there is none. */
  readonly latestUserMessage: number;
  /** The first message that the user wrote, which is the task: no pass removes it. -1 if there is none, or if it may be dropped. */
  readonly firstUserMessage: number;
  /** Whether a message was generated: a summary of an earlier pass. */
  isMade(message: number): boolean;
  /** Index of a message in the raw conversation; for a generated one, of the first message that it replaces. */
  rawIndex(message: number): number;
  /** Returns the raw text and the remaining pieces of the text at a position, or undefined if it does not come from a raw text. */
  origin(at: TextPosition): Origin | undefined;
  /** The contents of the conversation, computed on first use. */
  contents(): Contents;
  /** The legal cuts, computed on first use. */
  cuts(): readonly boolean[];
}

/** The context of a view. */
export interface ViewContext {
  readonly limits: Limits;
  readonly counter: TokenCounter;
  readonly hash: Hash;
  /** Whether the first user message may be dropped. @default false */
  readonly dropsTask?: boolean;
}

/** Creates a view of a draft. */
export function makeView(draft: Draft, { limits, counter, hash, dropsTask = false }: ViewContext): View {
  const { conversation, slots } = draft;
  const contents = once(() => decompose(conversation.messages));
  const cuts = once(() => legalCuts(conversation.messages, contents().links));
  return {
    conversation,
    limits,
    counter,
    hash,
    tokens: counter.countConversation(conversation),
    messageTokens: conversation.messages.map((message) => counter.countMessage(message)),
    latestUserMessage: contents().userAuthored.findLastIndex((isOwn, index) => isOwn && slots[index]?.kind === "kept"),
    firstUserMessage: dropsTask ? -1 : firstUserMessage(draft),
    isMade: (message) => slots[message]?.kind === "made",
    rawIndex: (message) => {
      const slot = slots[message];
      return slot === undefined ? -1 : rawStart(slot);
    },
    origin: (at) => originAt(draft, at),
    contents,
    cuts,
  };
}

function firstUserMessage({ raw, slots }: Draft): number {
  const first = firstAuthored.get(raw) ?? decompose(raw.messages).userAuthored.indexOf(true);
  firstAuthored.set(raw, first);
  return slots.findIndex((slot) => slot.kind === "kept" && slot.index === first);
}

/** Index of the first message that the user wrote, by raw conversation. */
const firstAuthored = new WeakMap<Conversation, number>();

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
