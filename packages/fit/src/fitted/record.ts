import { promptTokens, type Usage } from "@longhaul/conversation";
import type { Lesson } from "@longhaul/models";
import type { Fitted } from "../fitting/fit.ts";
import { tokensFrom } from "../history/parts.ts";
import type { LearnedPart } from "../memory/anchors.ts";
import { formName } from "../memory/form-name.ts";

/** Learns from what an upstream reports for a request: how it counts, and how large this conversation is. */
export function record(fitted: Fitted, usage: Usage): void {
  // Where the vendor compacted first, the round that did so read what was sent.
  const reported = promptTokens(usage.iterations?.[0] ?? usage);
  if (reported > 0) recordSize(fitted, { reported });
}

/** A request as it was sent. */
type Sent = Pick<Fitted, "fitRequest" | "form">;

/** An upstream's own count of a request. */
interface Report {
  readonly reported: number;
  /** Whether it was refused for that. */
  readonly wasRefused?: boolean;
}

/** Learns from an upstream's own count of a request, which it may have refused for it. */
export function recordSize(sent: Sent, { reported, wasRefused = false }: Report): void {
  const { state, destination, history, scope, ratio } = sent.fitRequest;
  const { epoch, estimated } = sent.form;
  const prefixes = history.prefixes();
  const form = formName(scope, epoch);
  const before = state.anchors.learnedPart(form, prefixes);
  const isTelling = epoch === undefined || wasRefused || !state.learned.hasLearned(destination);
  const whole = isTelling ? { estimated, reported, hasMedia: hasMedia(sent.fitRequest) } : undefined;
  const lesson = before === undefined ? whole : growthSince(before, sent, reported);
  const isSpent = lesson !== undefined && (state.learned.count(destination, lesson) || lesson.hasMedia);
  const prefix = prefixes.at(-1);
  if (prefix === undefined) return;
  const now: LearnedPart = { messages: prefixes.length, reported, headTokens: history.headTokens, ratio };
  const learned = isSpent ? now : (before ?? now);
  const head = history.headPrint();
  state.anchors.keep(form, prefix, { reported, estimated, ratio, atMs: state.nowMs(), wasRefused, head, learned });
}

/**
 * What came to the conversation since. Only that teaches: it is sent as the client wrote it, whatever was made of the rest, so that every
 * word of a client teaches once, and the ratio does not follow what a strategy leaves of a conversation.
 */
function growthSince(
  { messages, headTokens, ...before }: LearnedPart,
  { fitRequest, form }: Sent,
  reported: number,
): Lesson {
  const { history, ratio } = fitRequest;
  const headGrowth = history.headTokens - headTokens * (ratio / before.ratio);
  return {
    estimated: tokensFrom(messages, form.rendering ?? AS_IT_CAME, fitRequest) + headGrowth,
    reported: reported - before.reported,
    hasMedia: history.messages.slice(messages).some((message) => message.hasMedia),
  };
}

const AS_IT_CAME = { messages: 0, parts: [], prints: [], ratio: 1 } as const;

/** Whether a conversation holds images or documents, which nobody can count as the vendors do. */
export function hasMedia({ history }: Fitted["fitRequest"]): boolean {
  return history.messages.some((message) => message.hasMedia);
}
