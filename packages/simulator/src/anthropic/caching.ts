import type { Model } from "@longhaul/models/catalog";
import { chain } from "../core/digest.ts";
import type { World } from "../core/world.ts";
import { type Segment, totalTokens } from "./segments.ts";

/** How the prompt of one call is billed. */
export interface PromptBill {
  readonly input: number;
  readonly read: number;
  readonly write5m: number;
  readonly write1h: number;
}

const MINUTE_MS = 60_000;
const TTL_MS = { "5m": 5 * MINUTE_MS, "1h": 60 * MINUTE_MS } as const;
/** How many blocks before a breakpoint are searched for what was cached earlier. */
const LOOKBACK_BLOCKS = 20;

/** The shortest prefix that is cached, by model (platform.claude.com, prompt caching). A newer model that is not here takes the first. */
const MINIMUM_TOKENS: readonly (readonly [RegExp, number])[] = [
  [/^claude-(opus-4-[56]|haiku-4-5)/, 4_096],
  [/^claude-(opus-4-7|3-5-haiku|3-haiku)/, 2_048],
  [/^claude-(opus-4|sonnet-4|sonnet-5$|3-|mythos-preview)/, 1_024],
  [/./, 512],
];

/** What was asked to be cached, and by whom. */
export interface CacheRequest {
  readonly segments: readonly Segment[];
  readonly model: Model;
  /** Caches are apart for each credential. */
  readonly credential: string;
  /** The lifetime of top-level automatic caching, where it is on. */
  readonly automatic?: "5m" | "1h";
}

/** Looks up and writes the prompt cache as the vendor bills it: reads up to the longest match, writes up to the last breakpoint. */
export function billPrompt(request: CacheRequest, { cache, now }: World): PromptBill {
  const nowMs = now();
  const { segments, model, credential } = request;
  const total = totalTokens(segments);
  const ends = prefixEnds(segments);
  const keys = chain(
    `${credential}/${model.name}`,
    segments.map(({ text }) => text),
  );
  const breakpoints = breakpointsOf(request).filter(({ at }) => (ends[at] ?? 0) >= minimumTokens(model));
  const hit = longestHit(breakpoints, (at) => cache.use(keys[at] ?? "", nowMs));
  for (const { at, ttl } of breakpoints) cache.keep(keys[at] ?? "", TTL_MS[ttl], nowMs);
  const read = hit < 0 ? 0 : (ends[hit] ?? 0);
  const endOf = (points: readonly Breakpoint[]) => Math.max(read, ...points.map(({ at }) => ends[at] ?? 0));
  const hourEnd = endOf(breakpoints.filter(({ ttl }) => ttl === "1h"));
  const lastEnd = endOf(breakpoints);
  return { input: total - lastEnd, read, write1h: hourEnd - read, write5m: lastEnd - hourEnd };
}

/** The shortest prefix that this model caches. */
export function minimumTokens({ name }: Model): number {
  return MINIMUM_TOKENS.find(([pattern]) => pattern.test(name))?.[1] ?? 0;
}

interface Breakpoint {
  readonly at: number;
  readonly ttl: "5m" | "1h";
}

function prefixEnds(segments: readonly Segment[]): number[] {
  let sum = 0;
  return segments.map(({ tokens }) => {
    sum += tokens;
    return Math.floor(sum);
  });
}

function breakpointsOf({ segments, automatic }: CacheRequest): readonly Breakpoint[] {
  const marked = segments.flatMap(({ ttl }, at) => (ttl === undefined ? [] : [{ at, ttl }]));
  const last = segments.findLastIndex(({ isCacheable }) => isCacheable);
  const isFree = automatic !== undefined && last >= 0 && !marked.some(({ at }) => at === last);
  return isFree ? [...marked, { at: last, ttl: automatic }] : marked;
}

/** The farthest cached place within reach of any breakpoint; -1 where there is none. Each breakpoint's own entry is refreshed. */
function longestHit(breakpoints: readonly Breakpoint[], isCached: (at: number) => boolean): number {
  let hit = -1;
  for (const { at } of breakpoints) {
    for (let back = at; back >= 0 && back > at - LOOKBACK_BLOCKS && back > hit; back -= 1)
      if (isCached(back)) hit = back;
  }
  return hit;
}
