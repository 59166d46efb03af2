import type { JsonObject } from "./json.ts";

/** The simulated APIs. */
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

/** A prompt in a form that no vendor uses: enough to decide on an answer. */
export interface Prompt {
  readonly api: ApiId;
  readonly model: string;
  readonly system: string;
  readonly turns: readonly PromptTurn[];
  readonly tools: readonly PromptTool[];
  /** A tool that must be called, or `any`. */
  readonly mustCall?: string;
  /** The answer must be JSON of this schema; an empty one allows any JSON. */
  readonly outputSchema?: JsonObject;
  readonly thinks: boolean;
  readonly stopSequences: readonly string[];
}

/** One message. */
export interface PromptTurn {
  readonly role: "user" | "assistant" | "system";
  readonly texts: readonly string[];
  /** Ids (or other marks) of the calls made in it. */
  readonly calls: readonly string[];
  /** Ids (or other marks) of the calls answered in it. */
  readonly results: readonly string[];
}

/** A tool that may be called. */
export interface PromptTool {
  readonly name: string;
  readonly schema: JsonObject;
}

/** Returns the user's latest text, preferably not one beside tool results. */
export function latestUserText({ turns }: Prompt): string {
  const spoken = turns.filter(({ role, texts }) => role === "user" && texts.some((text) => text.trim() !== ""));
  const latest = spoken.findLast(({ results }) => results.length === 0) ?? spoken.at(-1);
  return latest?.texts.join("\n") ?? "";
}

export function allText({ system, turns }: Prompt): string {
  return [system, ...turns.flatMap(({ texts }) => texts)].filter((text) => text !== "").join("\n");
}

const STEP = /_s(\d+)_/;

/** The part of a call id that encodes the step of a tool loop. */
export function stepMark(step: number): string {
  return `_s${step}_`;
}

/** Counts the rounds of tool calls since the user last spoke: by the ids, which encode it, or if they were rewritten, one by one. */
export function completedSteps({ turns }: Prompt): number {
  const spoke = turns.findLastIndex(
    ({ role, texts, results }) => role === "user" && texts.length > 0 && results.length === 0,
  );
  const since = turns.slice(spoke + 1);
  const marks = since.flatMap(({ results }) => results).map((id) => Number(STEP.exec(id)?.[1] ?? 0));
  const rounds = since.filter(({ role, calls }) => role === "assistant" && calls.length > 0).length;
  return Math.max(0, ...marks) || rounds;
}
