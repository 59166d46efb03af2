import type { Composition, PartKind } from "@longhaul/condense";
import { sentMessages } from "../fitting/condense.ts";
import { type Fitted, shouldShrink, wasSentLately } from "../fitting/fit.ts";
import { currentForm, type FitRequest, type Form } from "../fitting/fit-request.ts";
import type { Part } from "../history/parts.ts";

/** Returns the sizes of a request for its log record. */
export function sizedNote({ fitRequest, form, originalTokens, origin }: Fitted): SizedNote {
  return {
    session: fitRequest.session,
    parent: fitRequest.parent,
    windowTokens: fitRequest.limits.windowTokens,
    originalTokens,
    sentTokens: form.tokens,
    // Later turns have their own cache figures.
    warmTokens: origin === "new" ? warmTokens(fitRequest) : 0,
    anatomy: () => anatomyOf(fitRequest, form),
  };
}

/** Returns how much of the raw conversation was sent recently in any form: sent raw, it would be cached. */
function warmTokens(fitRequest: FitRequest): number {
  const { state, history } = fitRequest;
  const forms = [undefined, ...state.epochs.known(fitRequest)];
  const sent = forms.map((epoch) => {
    const form = { estimated: 0, tokens: 0, ...(epoch === undefined ? {} : { epoch }) };
    return wasSentLately(fitRequest, form) ? sentMessages(fitRequest, form) : 0;
  });
  const messages = Math.max(...sent);
  if (messages === 0) return 0;
  return history.messageTokens.slice(0, messages).reduce((sum, tokens) => sum + tokens, history.headTokens);
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
  /** If it was condensed just now: the tokens that the vendor would have had cached otherwise. */
  readonly warmTokens: number;
  anatomy(): Readonly<Record<string, number>>;
}

/** How a request's context was condensed. */
export interface CondensedNote {
  readonly originalTokens: number;
  readonly sentTokens: number;
  readonly strategy: string;
  /** Condensed for this request, or for an earlier one of its conversation. */
  readonly origin: "new" | "reused";
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
