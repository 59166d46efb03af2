import type { Draft, DraftCall } from "./compose.ts";
import type { Tokenizer } from "./tokens.ts";

/** An answer as it is sent, within the limits of the request and the model. */
export interface Output {
  readonly thinking?: { readonly text: string; readonly isRedacted: boolean; readonly tokens: number };
  readonly text: string;
  readonly calls: readonly DraftCall[];
  readonly stop: Stop;
  /** The stop sequence that ended it. */
  readonly stopSequence?: string;
  /** All of it, thinking included. */
  readonly tokens: number;
}

/** Why an answer ended. */
export type Stop = "end" | "calls" | "length" | "window" | "sequence" | "refusal";

/** What an answer must keep to. */
export interface Limits {
  readonly maxTokens: number;
  /** Tokens that are left in the window after the prompt. */
  readonly roomTokens: number;
  readonly stopSequences: readonly string[];
}

const CALL_OVERHEAD_TOKENS = 8;

/** Cuts an answer to its limits: thinking comes first, then text, then calls, which are left out where they don't fit. */
export function limitDraft(draft: Draft, limits: Limits, tokenizer: Tokenizer): Output {
  const budget = Math.max(0, Math.min(limits.maxTokens, limits.roomTokens));
  const thought = tokenizer.take(draft.thinking?.text ?? "", budget);
  const thinkingTokens = Math.ceil(tokenizer.weigh(thought));
  const ended = cutAtSequence(draft.text, limits.stopSequences);
  const text = tokenizer.take(ended.text, budget - thinkingTokens);
  const spent = thinkingTokens + Math.ceil(tokenizer.weigh(text));
  const kept = takeCalls(draft.calls, budget - spent, tokenizer);
  const isCut =
    thought.length < (draft.thinking?.text.length ?? 0) ||
    text !== ended.text ||
    kept.calls.length < draft.calls.length;
  const cutStop = limits.roomTokens < limits.maxTokens ? "window" : "length";
  return {
    ...(draft.thinking !== undefined && { thinking: { ...draft.thinking, text: thought, tokens: thinkingTokens } }),
    text,
    calls: kept.calls,
    stop: isCut ? cutStop : stopOf(draft, ended.sequence),
    ...(!isCut && ended.sequence !== undefined && { stopSequence: ended.sequence }),
    tokens: Math.min(budget, spent + kept.tokens),
  };
}

function cutAtSequence(text: string, sequences: readonly string[]): { text: string; sequence?: string } {
  const found = sequences.map((sequence) => ({ sequence, at: text.indexOf(sequence) })).filter(({ at }) => at >= 0);
  const first = found.toSorted((a, b) => a.at - b.at)[0];
  return first === undefined ? { text } : { text: text.slice(0, first.at), sequence: first.sequence };
}

function takeCalls(
  calls: readonly DraftCall[],
  budget: number,
  tokenizer: Tokenizer,
): { calls: DraftCall[]; tokens: number } {
  const kept: DraftCall[] = [];
  let tokens = 0;
  for (const call of calls) {
    const cost = CALL_OVERHEAD_TOKENS + Math.ceil(tokenizer.weigh(`${call.name}${JSON.stringify(call.input)}`));
    if (tokens + cost > budget) break;
    kept.push(call);
    tokens += cost;
  }
  return { calls: kept, tokens };
}

function stopOf(draft: Draft, sequence: string | undefined): Stop {
  if (draft.isRefusal) return "refusal";
  if (draft.calls.length > 0) return "calls";
  return sequence === undefined ? "end" : "sequence";
}
