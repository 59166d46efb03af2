import type { Model } from "@longhaul/models/catalog";
import { totalOf, useCache } from "../core/automatic-caching.ts";
import type { Billed } from "../core/money.ts";
import type { World } from "../core/world.ts";
import type { GeminiPiece } from "./pieces.ts";
import { builtInTools, type GeminiRequest } from "./request.ts";

/** How the prompt of one call is billed. */
export interface PromptBill {
  /** The whole prompt; what was read from the cache is part of it. */
  readonly total: number;
  readonly read: number;
  /** What tools that Google runs added to the prompt. */
  readonly toolUse: number;
  readonly pieces: readonly GeminiPiece[];
}

const LIFETIME_MS = 5 * 60_000;
const STEP_TOKENS = 128;
const MINIMUM_TOKENS = { pro: 4_096, others: 1_024 } as const;
/** What each tool that Google runs is taken to add. */
const TOOL_USE_TOKENS = 64;

/** Looks up and fills the implicit cache, which costs nothing to write. */
export function billPrompt(pieces: readonly GeminiPiece[], request: GeminiRequest, world: World): PromptBill {
  const { model, credential } = request;
  const minimumTokens = model.name.includes("-pro") ? MINIMUM_TOKENS.pro : MINIMUM_TOKENS.others;
  const scope = `${credential}/${model.name}`;
  const rule = { scope, minimumTokens, stepTokens: STEP_TOKENS, ttlMs: LIFETIME_MS, isExplicit: false };
  const { read } = cachesByItself(model) ? useCache(pieces, rule, world) : { read: 0 };
  return { total: totalOf(pieces), read, toolUse: builtInTools(request).length * TOOL_USE_TOKENS, pieces };
}

/** Since Gemini 2.5, the first that think. */
function cachesByItself({ reasoning }: Model): boolean {
  return reasoning.kind !== "none";
}

/** The same for the record, nothing counted twice. */
export function billedOf({ total, read, toolUse }: PromptBill, outputTokens: number): Billed {
  return {
    inputTokens: total - read + toolUse,
    cacheReadTokens: read,
    cacheWriteTokens: 0,
    cacheWriteHourTokens: 0,
    outputTokens,
  };
}
