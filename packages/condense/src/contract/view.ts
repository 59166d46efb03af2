import type { Conversation, Hash } from "@longhaul/conversation";
import type { TokenCounter } from "@longhaul/models";
import type { Contents } from "../content/content.ts";
import { decompose } from "../content/contents.ts";
import { legalCuts } from "../content/cuts.ts";
import type { MediaLimits } from "../content/media.ts";
import { type Draft, type Origin, originAt, rawStart } from "../edits/draft.ts";
import type { TextPosition } from "../edits/text-position.ts";

/** How large the result may be. */
export interface Limits {
  /** The model's whole window. */
  readonly windowTokens: number;
  /** What the request should not exceed. */
  readonly budgetTokens: number;
  /** What the upstream takes at the most, where the budget leaves room below it: only over this do the newest results give way. @default the budget */
  readonly limitTokens?: number;
  /** What condensing aims at. */
  readonly targetTokens: number;
  /** What the upstream takes besides tokens. */
  readonly media?: MediaLimits;
}

/** What the upstream takes at the most. */
export function limitOf({ budgetTokens, limitTokens = budgetTokens }: Limits): number {
  return limitTokens;
}

/** What a pass sees: the conversation as the passes before it left it, and what is known of it. It changes nothing. */
export interface View {
  readonly conversation: Conversation;
  readonly limits: Limits;
  readonly counter: TokenCounter;
  readonly hash: Hash;
  /** Tokens of the whole conversation: system, tools and messages. */
  readonly tokens: number;
  /** Tokens of each message. */
  readonly messageTokens: readonly number[];
  /** The latest message with the user's own words, which no edit touches; -1 where there is none. */
  readonly latestUserMessage: number;
  /** Whether the message at an index is one of ours: a summary or a note of an earlier pass. */
  isMade(message: number): boolean;
  /** Where the message at an index stands in the raw conversation; for one of ours, where the first message that it stands for does. */
  rawIndex(message: number): number;
  /** What the text at a place was made of: the raw text and what is left of it; nothing where no raw text stands behind it. */
  origin(at: TextPosition): Origin | undefined;
  /** The conversation as contents; worked out once, when first asked for. */
  contents(): Contents;
  /** Where it may be cut; worked out once, when first asked for. */
  cuts(): readonly boolean[];
}

/** What a view needs besides the draft. */
export interface ViewContext {
  readonly limits: Limits;
  readonly counter: TokenCounter;
  readonly hash: Hash;
}

/** Looks at a draft. */
export function makeView(draft: Draft, { limits, counter, hash }: ViewContext): View {
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

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
