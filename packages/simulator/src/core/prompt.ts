import type { JsonObject } from "./json.ts";

/** The simulated APIs, by name. */
export type ApiId =
  | "anthropic"
  | "openai-chat"
  | "openai-responses"
  | "gemini"
  | "bedrock"
  | "vertex-claude"
  | "vertex-gemini"
  | "openrouter"
  | "openai-compatible";

/** What a model is shown, in no vendor's words: enough to decide on an answer. */
export interface Prompt {
  readonly api: ApiId;
  readonly model: string;
  readonly system: string;
  readonly turns: readonly PromptTurn[];
  readonly tools: readonly PromptTool[];
  /** A tool has to be called: which one, or `any`. */
  readonly mustCall?: string;
  /** The answer has to be JSON of this schema; an empty one allows any JSON. */
  readonly outputSchema?: JsonObject;
  readonly thinks: boolean;
  readonly stopSequences: readonly string[];
}

/** One message. */
export interface PromptTurn {
  readonly role: "user" | "assistant" | "system";
  readonly texts: readonly string[];
  /** Ids (or other marks) of the calls that are made in it. */
  readonly calls: readonly string[];
  /** Ids (or other marks) of the calls that are answered in it. */
  readonly results: readonly string[];
}

/** A tool that may be called. */
export interface PromptTool {
  readonly name: string;
  readonly schema: JsonObject;
}

/** The user's own words that came last: not those that stand beside tool results, unless there are no others. */
export function latestUserText({ turns }: Prompt): string {
  const spoken = turns.filter(({ role, texts }) => role === "user" && texts.some((text) => text.trim() !== ""));
  const latest = spoken.findLast(({ results }) => results.length === 0) ?? spoken.at(-1);
  return latest?.texts.join("\n") ?? "";
}

/** Everything that stands in the prompt, in order. */
export function allText({ system, turns }: Prompt): string {
  return [system, ...turns.flatMap(({ texts }) => texts)].filter((text) => text !== "").join("\n");
}

const STEP = /_s(\d+)_/;

/** The part of a call's id that says in which step of a loop it was made. */
export function stepMark(step: number): string {
  return `_s${step}_`;
}

/**
 * How many rounds of tool calls lie behind, since the user last spoke. The ids tell it, so that it stays true when earlier rounds were
 * taken out of the prompt; where ids were rewritten, rounds are counted.
 */
export function completedSteps({ turns }: Prompt): number {
  const spoke = turns.findLastIndex(
    ({ role, texts, results }) => role === "user" && texts.length > 0 && results.length === 0,
  );
  const since = turns.slice(spoke + 1);
  const marks = since.flatMap(({ results }) => results).map((id) => Number(STEP.exec(id)?.[1] ?? 0));
  const rounds = since.filter(({ role, calls }) => role === "assistant" && calls.length > 0).length;
  return Math.max(0, ...marks) || rounds;
}
