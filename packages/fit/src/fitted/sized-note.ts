import type { Composition, PartKind } from "@longhaul/condense";
import { sentMessages } from "../fitting/condense.ts";
import { type Fitted, shouldShrink, wasSentLately } from "../fitting/fit.ts";
import { currentForm, type FitRequest, type Form } from "../fitting/fit-request.ts";
import type { Part } from "../history/parts.ts";

/** What is to be told of a request's size when it is over. */
export function sizedNote({ fitRequest, form, originalTokens, origin }: Fitted): SizedNote {
  return {
    session: fitRequest.session,
    parent: fitRequest.parent,
    windowTokens: fitRequest.limits.windowTokens,
    originalTokens,
    sentTokens: form.tokens,
    // Later turns go by what their own cache says.
    warmTokens: origin === "new" ? warmTokens(fitRequest) : 0,
    anatomy: () => anatomyOf(fitRequest, form),
  };
}

/** How much of a conversation as it came was sent lately, in whatever form: had it been sent as it came, that would be cached. */
function warmTokens(fitRequest: FitRequest): number {
  const { state, history } = fitRequest;
  const forms = [undefined, ...state.shelf.known(fitRequest)];
  const sent = forms.map((epoch) => {
    const form = { estimated: 0, tokens: 0, ...(epoch === undefined ? {} : { epoch }) };
    return wasSentLately(fitRequest, form) ? sentMessages(fitRequest, form) : 0;
  });
  const messages = Math.max(...sent);
  if (messages === 0) return 0;
  return history.messageTokens.slice(0, messages).reduce((sum, tokens) => sum + tokens, history.headTokens);
}

/** Tokens of what is sent, by what they are. What we wrote in place of messages is text. Together they are `form.tokens`, but for rounding. */
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

/** How large a request was, by our own count. */
export interface SizedNote {
  readonly session: string;
  /** The session that started it, if it is a sub-agent's. */
  readonly parent: string;
  readonly windowTokens: number;
  /** As it came, and as it was sent. */
  readonly originalTokens: number;
  readonly sentTokens: number;
  /** Where it was condensed just now: how much of it the vendor would have had cached if it had gone on as before. */
  readonly warmTokens: number;
  /** Tokens of what was sent, by what they are. */
  anatomy(): Readonly<Record<string, number>>;
}

/** How a request's context was made smaller. */
export interface CondensedNote {
  readonly originalTokens: number;
  readonly sentTokens: number;
  readonly strategy: string;
  /** For this request, or for an earlier one of its conversation. */
  readonly origin: "new" | "reused";
}

/**
 * How large a conversation is sent that does not go as it came: as its epoch has it, or, where it is still to be condensed, what that would
 * aim at. Nothing where it goes as it came. Nothing is condensed or stored for it.
 */
export async function sizeToSend(fitRequest: FitRequest): Promise<number | undefined> {
  const form = await currentForm(fitRequest);
  if (shouldShrink(fitRequest, form)) return Math.min(form.tokens, fitRequest.limits.targetTokens);
  return form.epoch === undefined ? undefined : form.tokens;
}
