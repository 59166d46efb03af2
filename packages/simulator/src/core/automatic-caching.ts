import { digest } from "./text.ts";
import type { World } from "./world.ts";

/** A stretch of a prompt. */
export interface Piece {
  /** What decides whether two prompts are the same. */
  readonly text: string;
  /** With a fraction: sums stay exact. */
  readonly tokens: number;
  /** Whether the tokens are those of the text, so that a cached prefix can end inside it. */
  readonly isText: boolean;
  /** Whether the client wants what lies before its end to be cached. */
  readonly isBreakpoint?: boolean;
}

/** How a vendor caches by itself. */
export interface CacheRule {
  /** Whose cache: prompts of different scopes share nothing. */
  readonly scope: string;
  /** The shortest prefix that is cached, in tokens. */
  readonly minimumTokens: number;
  /** Prefixes end at multiples of this many tokens. */
  readonly stepTokens: number;
  readonly ttlMs: number;
  /** Whether only what lies before breakpoints is written. */
  readonly isExplicit: boolean;
}

/** What was found and what is new in the cache, in tokens. */
interface CacheUse {
  readonly read: number;
  readonly written: number;
}

/** Tokens of a whole prompt. */
export function totalOf(pieces: readonly Piece[]): number {
  return Math.ceil(pieces.reduce((sum, { tokens }) => sum + tokens, 0));
}

/** Looks up the longest prefix that was seen before and writes this prompt's. */
export function useCache(pieces: readonly Piece[], rule: CacheRule, { cache, tokenizer, now }: World): CacheUse {
  const keys = prefixKeys(pieces, rule, tokenizer.marks);
  const first = Math.ceil(rule.minimumTokens / rule.stepTokens) - 1;
  const nowMs = now();
  const hit = keys.findLastIndex((key, at) => at >= first && cache.use(key, nowMs));
  // A prefix that is used keeps every shorter one alive.
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

/** A key for each multiple of the step: it stands for everything before. */
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
