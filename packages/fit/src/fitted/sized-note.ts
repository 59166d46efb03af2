import type { Composition, PartKind } from "@longhaul/condense/advanced";
import type { Conversation } from "@longhaul/conversation";
import { CACHE_LIFETIME_MS, type Fitted, shouldShrink } from "../fitting/fit.ts";
import { currentForm, type FitRequest, type Form } from "../fitting/fit-request.ts";
import { decodeSpan } from "../history/known-messages.ts";
import type { Part } from "../history/parts.ts";
import { originalName } from "../memory/epochs.ts";
import type { Call } from "../request/call.ts";
import { isAnchored, tokensAfter } from "./learn-from-answer.ts";

/** Returns the sizes of a request for its log record. */
export function sizedNote({ fitRequest, form, originalTokens }: Fitted): SizedNote {
  return {
    session: fitRequest.session,
    parent: fitRequest.parent,
    windowTokens: fitRequest.limits.windowTokens,
    originalTokens,
    sentTokens: form.tokens,
    isAnchored: isAnchored(fitRequest, form),
    // An unchanged request is billed as reported.
    ...(form.epoch === undefined ? { isWarm: false } : newSinceLast(fitRequest)),
    anatomy: () => anatomyOf(fitRequest, form),
    opening: () => (isNew(fitRequest) ? openingOf(fitRequest) : undefined),
    aside: () => (mayBeAside(fitRequest) ? openingOf(fitRequest) : undefined),
  };
}

/** Whether a request may be the client's own, such as one for a title: those have few messages and no tools. */
function mayBeAside({ history: { head, messages } }: FitRequest): boolean {
  return head.conversation.tools.length === 0 && messages.length <= MAX_ASIDE_MESSAGES;
}

const MAX_ASIDE_MESSAGES = 2;

/** Whether a session still lacks a title. */
function isNew({ state, tenant, session }: FitRequest): boolean {
  return state.sessions.lacksDescription(tenant, session);
}

/** Clients put their context into a few messages before the user's words. */
const OPENING_MESSAGES = 8;
/** Longer messages are not read again: they are pasted texts or tool results. */
const MAX_OPENING_BYTES = 256 * 1024;

/** Reads the first messages of a conversation again. */
function openingOf({ call, history: { head, layout }, state, tenant, session }: FitRequest): Opening {
  const { system } = head.conversation;
  const messages =
    layout === undefined
      ? call.wholeRequest().conversation.messages.slice(0, OPENING_MESSAGES)
      : layout.spans.slice(0, OPENING_MESSAGES).flatMap(({ from, to }) => {
          const message =
            to - from > MAX_OPENING_BYTES ? undefined : decodeSpan(call.body.subarray(from, to), call.codec);
          return message === undefined ? [] : [message];
        });
  return { system, messages, headers: call.headers, isEnough: () => state.sessions.described(tenant, session) };
}

/** The beginning of a conversation. */
interface Opening extends Pick<Conversation, "system" | "messages"> {
  readonly headers: Call["headers"];
  /** Later requests of the session have no opening. */
  isEnough(): void;
}

/** Returns how much of the conversation no earlier request contained, in any form, and whether the rest is likely still cached. */
function newSinceLast({ state, history, scope }: FitRequest): Pick<SizedNote, "newTokens" | "isWarm"> {
  const original = originalName(scope);
  const messages = state.anchors.sentMessages(original, history.prefixes());
  if (messages === 0) return { isWarm: false };
  const sentAtMs = state.anchors.sentAtMs(original, history.prefixes(), history.headPrint());
  const isWarm = sentAtMs !== undefined && state.nowMs() - sentAtMs < CACHE_LIFETIME_MS;
  return { newTokens: tokensAfter(history, messages), isWarm };
}

/**
 * Returns the tokens of the sent prompt by kind. Text that replaces messages counts as text. The sum is `form.tokens`, except for rounding.
 */
export function anatomyOf({ history, ratio }: FitRequest, form: Form): Readonly<Partial<Record<PartKind, number>>> {
  const { messages, messageTokens, headTokens, toolTokens } = history;
  const head = { system: headTokens - toolTokens, tools: toolTokens };
  const sums: Record<PartKind, number> = { ...head, text: 0, calls: 0, results: 0, thinking: 0, media: 0 };
  const add = (makeUp: Composition, tokens: number) => {
    for (const { kind, share } of makeUp) sums[kind] += share * tokens;
  };
  const addRaw = (from: number, to: number) => {
    for (let index = from; index < to; index++) add(messages[index]?.makeUp ?? TEXT, messageTokens[index] ?? 0);
  };
  const { rendering } = form;
  const scale = rendering === undefined ? 1 : ratio / rendering.ratio;
  const addPart = (part: Part) => {
    if (part.kind === "kept") addRaw(part.from, part.to);
    else add((part.raw === undefined ? undefined : messages[part.raw]?.makeUp) ?? TEXT, part.tokens * scale);
  };
  rendering?.parts.forEach(addPart);
  addRaw(rendering?.messages ?? 0, messages.length);
  const correction = form.tokens / Math.max(1, form.estimated);
  const rounded = Object.entries(sums).map(([kind, tokens]) => [kind, Math.round(tokens * correction)] as const);
  return Object.fromEntries(rounded.filter(([, tokens]) => tokens > 0));
}

const TEXT: Composition = [{ kind: "text", share: 1 }];

/** Sizes of a request, by our own count. */
export interface SizedNote {
  readonly session: string;
  /** The session that started it, if it is a sub-agent's. */
  readonly parent: string;
  readonly windowTokens: number;
  readonly originalTokens: number;
  readonly sentTokens: number;
  /** Whether our count of the sent prompt is corrected by the upstream's count of its beginning. */
  readonly isAnchored: boolean;
  /** If it was condensed: the tokens of the original that no earlier request contained. Absent if unknown. */
  readonly newTokens?: number;
  /** Whether the vendor would likely have had the rest cached. */
  readonly isWarm: boolean;
  anatomy(): Readonly<Record<string, number>>;
  /** Reads the system prompt and the first messages again, for the session's title; undefined if that was done before. */
  opening(): Opening | undefined;
  /** Reads a request again that may be the client's own; undefined if it is the user's. */
  aside(): Pick<Conversation, "system" | "messages"> | undefined;
}

/** How a request's context was condensed. */
export interface CondensedNote {
  readonly originalTokens: number;
  readonly sentTokens: number;
  readonly strategy: string;
  /** Condensed for this request, or for an earlier one of its conversation. */
  readonly origin: "new" | "reused";
  /** Whether only repeated lines were replaced by references: the conversation has never been condensed. */
  readonly isDeduplicated: boolean;
}

/**
 * Returns the size of a conversation that is not sent raw: its epoch's, or the target if it is still to be condensed. Undefined if it is
 * sent raw. Nothing is condensed or stored.
 */
export async function sizeToSend(fitRequest: FitRequest): Promise<number | undefined> {
  const form = await currentForm(fitRequest);
  if (shouldShrink(fitRequest, form)) return Math.min(form.tokens, fitRequest.limits.targetTokens);
  return form.epoch === undefined ? undefined : form.tokens;
}
