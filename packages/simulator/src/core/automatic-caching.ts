import { digest } from "./text.ts";
import type { World } from "./world.ts";

export interface Piece {
  /** Identifies the content; equal texts mean equal prompts. */
  readonly text: string;
  /** Fractional, so that sums stay exact. */
  readonly tokens: number;
  /** Whether the tokens are those of the text, so that a cached prefix can end inside it. */
  readonly isText: boolean;
  /** Whether the client set a cache breakpoint at its end. */
  readonly isBreakpoint?: boolean;
}

export interface CacheRule {
  /** Prompts of different scopes share nothing. */
  readonly scope: string;
  readonly minimumTokens: number;
  /** Prefixes end at multiples of this. */
  readonly stepTokens: number;
  readonly ttlMs: number;
  /** Whether only prefixes that end at breakpoints are written. */
  readonly isExplicit: boolean;
}

export function totalOf(pieces: readonly Piece[]): number {
  return Math.ceil(pieces.reduce((sum, { tokens }) => sum + tokens, 0));
}

/** Looks up the longest cached prefix and writes this prompt's prefixes. Returns the tokens read and written. */
export function useCache(pieces: readonly Piece[], rule: CacheRule, { cache, tokenizer, now }: World) {
  const keys = prefixKeys(pieces, rule, tokenizer.marks);
  const first = Math.ceil(rule.minimumTokens / rule.stepTokens) - 1;
  const nowMs = now();
  const hit = keys.findLastIndex((key, at) => at >= first && cache.use(key, nowMs));
  // A used prefix also refreshes every shorter one.
  for (const key of keys.slice(first, hit + 1)) cache.use(key, nowMs);
  const last = Math.floor(writableTokens(pieces, rule) / rule.stepTokens) - 1;
  for (const key of keys.slice(first, last + 1)) cache.keep(key, rule.ttlMs, nowMs);
  const tokensTo = (at: number) => (at < first ? 0 : (at + 1) * rule.stepTokens);
  return { read: tokensTo(hit), written: Math.max(0, tokensTo(last) - tokensTo(hit)) };
}

function writableTokens(pieces: readonly Piece[], { isExplicit }: CacheRule): number {
  const end = isExplicit ? pieces.findLastIndex(({ isBreakpoint }) => isBreakpoint === true) + 1 : pieces.length;
  return pieces.slice(0, end).reduce((sum, { tokens }) => sum + tokens, 0);
}

function prefixKeys(
  pieces: readonly Piece[],
  { scope, stepTokens }: CacheRule,
  marks: (text: string, step: number, before: number) => number[],
): string[] {
  const keys: string[] = [];
  let pending = "";
  let sum = 0;
  const close = (text: string) => {
    keys.push(digest(keys.at(-1) ?? scope, pending + text));
    pending = "";
  };
  for (const { text, tokens, isText } of pieces) {
    let from = 0;
    const offsets = isText ? marks(text, stepTokens, sum) : [];
    for (const at of offsets) {
      close(text.slice(from, at));
      from = at;
    }
    pending += text.slice(from);
    sum += tokens;
    while (keys.length < Math.floor(sum / stepTokens)) close("");
  }
  return keys;
}
