import { type Behavior, behaviorIn, type Ending, type ScriptedCall } from "./behavior.ts";
import { asksForSummary, exampleOf, fillerText, garbageText, summarize } from "./filler.ts";
import { isObject, type JsonObject, parseJson } from "./json.ts";
import { completedSteps, latestUserText, type Prompt, stepMark } from "./prompt.ts";
import { idFrom } from "./text.ts";
import type { Tokenizer } from "./tokens.ts";
import type { World } from "./world.ts";

/** An answer before limits are applied. */
export interface Draft {
  readonly thinking?: { readonly text: string; readonly isRedacted: boolean };
  readonly text: string;
  readonly calls: readonly DraftCall[];
  readonly isRefusal: boolean;
}

interface DraftCall {
  /** Unique within the conversation, without a vendor's prefix; contains the step. */
  readonly id: string;
  readonly name: string;
  readonly input: JsonObject;
}

export interface ComposeContext {
  readonly tokenizer: Tokenizer;
  /** Chooses a behavior; if it returns none, the user's directives and then the prompt decide. */
  readonly script: (prompt: Prompt) => Behavior | undefined;
  readonly summaryTokens: number;
  readonly thinkTokens: number;
  /** Begins every text that is not JSON. */
  readonly notice?: string;
  /** Ids are made from it. */
  readonly seed: string;
  readonly maxTokens: number;
}

const REFUSAL = "I can't help with that.";
const MAX_ECHO_CHARS = 2_000;
/** Context that a client adds to the user's words and does not show. */
const HIDDEN = /<system-reminder>[\s\S]*?<\/system-reminder>/g;
const HALF_PAIR = /[\ud800-\udbff]$/;

/** Decides the simulated model's answer. The same prompt and seed give the same answer. */
export function compose(prompt: Prompt, context: ComposeContext): Draft {
  const behavior = context.script(prompt) ?? behaviorIn(latestUserText(prompt)) ?? { calls: [], times: 1 };
  const step = completedSteps(prompt) + 1;
  const calls = callsFor(prompt, behavior, step).map((call, index) => ({
    id: `${stepMark(step).slice(1)}${idFrom("", context.seed, `${index}`).slice(0, 12)}`,
    name: call.name,
    input: fillStep(call.input, step),
  }));
  const ending = calls.length > 0 ? undefined : (behavior.ending ?? endingFor(prompt));
  const thinking = prompt.thinks ? think(behavior, context) : undefined;
  const text = ending === undefined ? (behavior.comment ?? "") : write(ending, prompt, context);
  const isPlain = text !== "" && prompt.outputSchema === undefined && ending?.kind !== "json";
  return {
    ...(thinking !== undefined && { thinking }),
    text: isPlain && context.notice ? `${context.notice}\n\n${text}` : text,
    calls,
    isRefusal: ending?.kind === "refuse",
  };
}

function callsFor(prompt: Prompt, behavior: Behavior, step: number): readonly ScriptedCall[] {
  if (behavior.calls.length > 0) return step <= behavior.times ? behavior.calls : [];
  if (prompt.mustCall === undefined || behavior.ending !== undefined) return [];
  const tool = prompt.tools.find(({ name }) => name === prompt.mustCall) ?? prompt.tools[0];
  const input = exampleOf(tool?.schema);
  return tool === undefined ? [] : [{ name: tool.name, input: isObject(input) ? input : {} }];
}

function fillStep(input: JsonObject, step: number): JsonObject {
  const filled = parseJson(JSON.stringify(input).replaceAll("{step}", `${step}`));
  return isObject(filled) ? filled : input;
}

function endingFor(prompt: Prompt): Ending {
  if (prompt.outputSchema !== undefined) return { kind: "json" };
  return asksForSummary(prompt) ? { kind: "summary" } : { kind: "echo" };
}

function think({ thinkTokens, isRedacted = false }: Behavior, context: ComposeContext): Draft["thinking"] {
  const tokens = thinkTokens ?? context.thinkTokens;
  return tokens <= 0 ? undefined : { text: fillerText(tokens, context.tokenizer), isRedacted };
}

function write(ending: Ending, prompt: Prompt, { tokenizer, summaryTokens, maxTokens }: ComposeContext): string {
  switch (ending.kind) {
    case "echo":
      return echo(prompt);
    case "say":
      return ending.text;
    case "words":
      return fillerText(ending.tokens, tokenizer);
    case "summary":
      return summarize(prompt, ending.tokens ?? summaryTokens, tokenizer);
    case "json":
      return JSON.stringify("value" in ending ? ending.value : exampleOf(prompt.outputSchema));
    case "refuse":
      return REFUSAL;
    case "empty":
      return "";
    case "garbage":
      return garbageText();
    case "endless":
      return fillerText(maxTokens * 2, tokenizer);
    default:
      return ending satisfies never;
  }
}

function echo(prompt: Prompt): string {
  const spoken = latestUserText(prompt).replace(HIDDEN, "").trim();
  const text = spoken.slice(0, MAX_ECHO_CHARS).replace(HALF_PAIR, "");
  return text === "" ? "You said nothing." : `You said: ${text}`;
}

/** An answer within the limits of the request and the model. */
export interface Output {
  readonly thinking?: { readonly text: string; readonly isRedacted: boolean; readonly tokens: number };
  readonly text: string;
  readonly calls: readonly DraftCall[];
  readonly stop: Stop;
  readonly stopSequence?: string;
  /** All tokens, including thinking. */
  readonly tokens: number;
}

export type Stop = "end" | "calls" | "length" | "window" | "sequence" | "refusal";

export interface Limits {
  readonly maxTokens: number;
  /** Tokens left in the window after the prompt. */
  readonly roomTokens: number;
  readonly stopSequences: readonly string[];
}

/** Writes the simulated model's answer within its limits. */
export function writeAnswer(
  prompt: Prompt,
  { seed, maxTokens, roomTokens }: Pick<ComposeContext, "seed"> & Omit<Limits, "stopSequences">,
  { tokenizer, script, settings }: World,
): Output {
  const draft = compose(prompt, { tokenizer, script, ...settings, seed, maxTokens });
  return limitDraft(draft, { maxTokens, roomTokens, stopSequences: prompt.stopSequences }, tokenizer);
}

const CALL_OVERHEAD_TOKENS = 8;

/** Cuts an answer to its limits: first thinking, then text, then calls, which are dropped if they do not fit. */
export function limitDraft(draft: Draft, limits: Limits, tokenizer: Tokenizer): Output {
  const budget = Math.max(0, Math.min(limits.maxTokens, limits.roomTokens));
  const thought = tokenizer.take(draft.thinking?.text ?? "", budget);
  const thinkingTokens = Math.ceil(tokenizer.count(thought));
  const ended = cutAtSequence(draft.text, limits.stopSequences);
  const text = tokenizer.take(ended.text, budget - thinkingTokens);
  const spent = thinkingTokens + Math.ceil(tokenizer.count(text));
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

function takeCalls(calls: readonly DraftCall[], budget: number, tokenizer: Tokenizer) {
  const kept: DraftCall[] = [];
  let tokens = 0;
  for (const call of calls) {
    const cost = CALL_OVERHEAD_TOKENS + Math.ceil(tokenizer.count(`${call.name}${JSON.stringify(call.input)}`));
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
