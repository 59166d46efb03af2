import { type Behavior, behaviorIn, type Ending, type ScriptedCall } from "./behavior.ts";
import { idFrom } from "./digest.ts";
import { asksForSummary, exampleOf, fillerText, garbageText, summarize } from "./filler.ts";
import { isObject, type JsonObject, parseJson } from "./json.ts";
import { latestUserText, type Prompt, stepMark, stepsBehind } from "./prompt.ts";
import type { Tokenizer } from "./tokens.ts";

/** An answer before any limit was applied to it. */
export interface Draft {
  readonly thinking?: { readonly text: string; readonly isRedacted: boolean };
  readonly text: string;
  readonly calls: readonly DraftCall[];
  readonly isRefusal: boolean;
}

/** A tool call that the model makes. */
export interface DraftCall {
  /** Unique within the conversation, without a vendor's prefix; holds the step. */
  readonly id: string;
  readonly name: string;
  readonly input: JsonObject;
}

/** What composing an answer takes besides the prompt. */
export interface ComposeContext {
  readonly tokenizer: Tokenizer;
  /** Chooses a behaviour; where it gives none, the user's directives and then the prompt decide. */
  readonly script: (prompt: Prompt) => Behavior | undefined;
  readonly summaryTokens: number;
  readonly thinkTokens: number;
  /** Stands for the request: ids are made from it. */
  readonly seed: string;
  readonly maxTokens: number;
}

const REFUSAL = "I can't help with that.";
const MAX_ECHO_CHARS = 2_000;
const HALF_PAIR = /[\ud800-\udbff]$/;

/** Decides what the simulated model answers. The same prompt and seed give the same answer. */
export function compose(prompt: Prompt, context: ComposeContext): Draft {
  const behavior = context.script(prompt) ?? behaviorIn(latestUserText(prompt)) ?? { calls: [], times: 1 };
  const step = stepsBehind(prompt) + 1;
  const calls = callsFor(prompt, behavior, step).map((call, index) => ({
    id: `${stepMark(step).slice(1)}${idFrom("", context.seed, `${index}`).slice(0, 12)}`,
    name: call.name,
    input: fillIn(call.input, step),
  }));
  const ending = calls.length > 0 ? undefined : (behavior.ending ?? endingFor(prompt));
  const thinking = prompt.thinks ? think(behavior, context) : undefined;
  return {
    ...(thinking !== undefined && { thinking }),
    text: ending === undefined ? (behavior.comment ?? "") : write(ending, prompt, context),
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

function fillIn(input: JsonObject, step: number): JsonObject {
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
  const said = latestUserText(prompt).slice(0, MAX_ECHO_CHARS).replace(HALF_PAIR, "");
  return said === "" ? "Nothing was said." : `You said: ${said}`;
}
