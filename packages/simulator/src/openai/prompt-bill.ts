import { type Piece, totalOf, useCache } from "../core/automatic-caching.ts";
import { type JsonObject, objectIn, textIn } from "../core/json.ts";
import type { Billed } from "../core/money.ts";
import type { World } from "../core/world.ts";
import type { OpenaiRequest } from "./api.ts";

/** `total` includes tokens read and written. */
export interface PromptBill {
  readonly total: number;
  readonly read: number;
  /** Reported only by models that charge for writing. */
  readonly written: number;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const MINIMUM_TOKENS = 1_024;
const STEP_TOKENS = 128;

/** Reads and writes the prompt cache: automatic, in steps of 128 tokens, separate for each key, model and `prompt_cache_key`. */
export function billPrompt(
  pieces: readonly Piece[],
  { body, model, credential }: OpenaiRequest,
  world: World,
): PromptBill {
  const scope = `${credential}/${model.name}/${textIn(body.prompt_cache_key)}`;
  const isExplicit = objectIn(body.prompt_cache_options).mode === "explicit";
  const rule = { scope, minimumTokens: MINIMUM_TOKENS, stepTokens: STEP_TOKENS, ttlMs: lifetimeOf(body), isExplicit };
  const { read, written } = useCache(pieces, rule, world);
  const { prices } = model;
  const chargesForWriting = prices !== undefined && prices.cacheWrite > prices.input;
  return { total: totalOf(pieces), read, written: chargesForWriting ? written : 0 };
}

function lifetimeOf({ prompt_cache_options, prompt_cache_retention }: JsonObject): number {
  if (objectIn(prompt_cache_options).ttl === "12h") return 12 * HOUR_MS;
  return prompt_cache_retention === "24h" ? 24 * HOUR_MS : 30 * MINUTE_MS;
}

export function billedOf({ total, read, written }: PromptBill, outputTokens: number): Billed {
  return {
    inputTokens: total - read - written,
    cacheReadTokens: read,
    cacheWriteTokens: written,
    cacheWriteHourTokens: 0,
    outputTokens,
  };
}
