import type { Model } from "@longhaul/models/catalog";
import { isGiven, type JsonObject, objectIn, objectsIn, omit, textIn } from "../core/json.ts";
import type { Billed } from "../core/money.ts";
import { prefixHashes } from "../core/text.ts";
import type { World } from "../core/world.ts";
import { blocksIn, canonicalText, locatedBlocks, type Message } from "./request.ts";

export interface PromptBill {
  readonly input: number;
  readonly read: number;
  readonly write5m: number;
  readonly write1h: number;
}

const MINUTE_MS = 60_000;
const TTL_MS = { "5m": 5 * MINUTE_MS, "1h": 60 * MINUTE_MS } as const;
/** How many blocks before a breakpoint are searched for a cache entry. */
const LOOKBACK_BLOCKS = 20;

/** The shortest cached prefix by model (platform.claude.com, prompt caching). Unknown newer models get the last entry. */
const MINIMUM_TOKENS: readonly (readonly [RegExp, number])[] = [
  [/^claude-(opus-4-[56]|haiku-4-5)/, 4_096],
  [/^claude-(opus-4-7|3-5-haiku|3-haiku)/, 2_048],
  [/^claude-(opus-4|sonnet-4|sonnet-5$|3-|mythos-preview)/, 1_024],
  [/./, 512],
];

export interface CacheRequest {
  readonly segments: readonly Segment[];
  readonly model: Model;
  /** Each credential has its own cache. */
  readonly credential: string;
  /** The lifetime of top-level automatic caching, if it is on. */
  readonly automatic?: "5m" | "1h";
}

/** Reads and writes the prompt cache as the vendor bills it: reads to the longest match, writes to the last breakpoint. */
export function billPrompt(request: CacheRequest, { cache, now }: World): PromptBill {
  const nowMs = now();
  const { segments, model, credential } = request;
  const total = totalTokens(segments);
  const ends = prefixEnds(segments);
  const keys = prefixHashes(
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

/** Returns the last cached block within reach of any breakpoint, or -1. Refreshes each breakpoint's own entry. */
function longestHit(breakpoints: readonly Breakpoint[], isCached: (at: number) => boolean): number {
  let hit = -1;
  for (const { at } of breakpoints) {
    for (let back = at; back >= 0 && back > at - LOOKBACK_BLOCKS && back > hit; back -= 1)
      if (isCached(back)) hit = back;
  }
  return hit;
}

export interface Segment {
  /** Identifies the content; equal texts mean equal prompts up to here. */
  readonly text: string;
  /** Fractional, so that sums stay exact. */
  readonly tokens: number;
  /** The lifetime of a cache breakpoint at the end of this segment. */
  readonly ttl?: "5m" | "1h";
  /** Whether automatic caching may end here. */
  readonly isCacheable: boolean;
}

const REQUEST_TOKENS = 3;
const MESSAGE_TOKENS = 4;
const TOOL_TOKENS = 8;
/** Counted for an image of any size: the largest that is not scaled down. */
const IMAGE_TOKENS = 1_600;
const DOCUMENT_TOKENS = 3_000;

interface PromptParts {
  readonly body: JsonObject;
  readonly messages: readonly Message[];
  /** Sizes of signed thinking blocks, whose visible text is shorter. */
  readonly tokens: ReadonlyMap<JsonObject, number>;
}

/** Returns the prompt in caching order: tools, system, messages. */
export function segmentsOf({ body, messages, tokens }: PromptParts, { tokenizer }: World): readonly Segment[] {
  const countBlock = (block: JsonObject) => tokens.get(block) ?? blockTokens(block, tokenizer.count);
  const tools = objectsIn(body.tools).map((tool) => {
    const text = JSON.stringify(omit(tool, "cache_control"));
    return segment(tool, text, TOOL_TOKENS + tokenizer.count(text));
  });
  const system = blocksIn(body.system).map((block) =>
    segment(block, `system:${canonicalText(block)}`, countBlock(block)),
  );
  const seed = messageSeed(body);
  const content = locatedBlocks(messages).map(({ block, role, index }) =>
    segment(block, `${seed}${role}:${canonicalText(block)}`, countBlock(block) + (index === 0 ? MESSAGE_TOKENS : 0)),
  );
  return [...tools, ...system, ...content];
}

export function totalTokens(segments: readonly Segment[]): number {
  return Math.ceil(segments.reduce((sum, { tokens }) => sum + tokens, REQUEST_TOKENS));
}

/** Tool choice and thinking settings invalidate cached messages, but not tools and system. */
function messageSeed({ tool_choice, thinking }: JsonObject): string {
  const { type, budget_tokens } = objectIn(thinking);
  return JSON.stringify([tool_choice ?? null, type ?? null, budget_tokens ?? null]);
}

function segment(block: JsonObject, text: string, tokens: number): Segment {
  const isCacheable = block.type !== "thinking" && block.type !== "redacted_thinking";
  const inner = objectsIn(block.content).find(({ cache_control }) => isGiven(cache_control));
  const mark = block.cache_control ?? inner?.cache_control;
  if (!isGiven(mark)) return { text, tokens, isCacheable };
  return { text, tokens, isCacheable, ttl: objectIn(mark).ttl === "1h" ? "1h" : "5m" };
}

function blockTokens(block: JsonObject, countText: (text: string) => number): number {
  switch (block.type) {
    case "text":
      return countText(textIn(block.text));
    case "image":
      return IMAGE_TOKENS;
    case "document":
      return documentTokens(block, countText);
    case "thinking":
      return countText(textIn(block.thinking));
    case "tool_use":
      return countText(callText(block));
    case "tool_result":
      return blocksIn(block.content).reduce(
        (sum, inner) => sum + blockTokens(inner, countText),
        countText(RESULT_TAGS),
      );
    case "compaction":
      return countText(textIn(block.content));
    default:
      return countText(JSON.stringify(omit(block, "cache_control")));
  }
}

const RESULT_TAGS = "<function_results>\n<result>\n\n</result>\n</function_results>";

/** Returns a call as the model reads it: tags with one parameter per argument. */
function callText({ name, input }: JsonObject): string {
  const parameters = Object.entries(objectIn(input)).map(([key, value]) => {
    const text = typeof value === "string" ? value : JSON.stringify(value);
    return `<parameter name="${key}">${text}</parameter>\n`;
  });
  const call = `<invoke name="${textIn(name)}">\n${parameters.join("")}</invoke>`;
  return `<function_calls>\n${call}\n</function_calls>`;
}

function documentTokens({ source }: JsonObject, countText: (text: string) => number): number {
  const { type, data, content } = objectIn(source);
  if (type === "text") return countText(textIn(data));
  if (type === "content") return blocksIn(content).reduce((sum, inner) => sum + blockTokens(inner, countText), 0);
  return DOCUMENT_TOKENS;
}

/** The usage of a reply; the three input figures add up to the whole prompt. */
export function usageOf(bill: PromptBill, { output, thinking }: { output: number; thinking: number }) {
  return {
    ...tokensOf(bill, output),
    ...(thinking > 0 && { output_tokens_details: { thinking_tokens: thinking } }),
    server_tool_use: null,
    service_tier: "standard",
    inference_geo: "not_available",
  };
}

/** The usage of one round of a request that took several. */
export function iterationOf(type: "compaction" | "message", bill: PromptBill, output: number) {
  return { type, ...tokensOf(bill, output) };
}

function tokensOf({ input, read, write5m, write1h }: PromptBill, output: number) {
  return {
    input_tokens: input,
    cache_creation_input_tokens: write5m + write1h,
    cache_read_input_tokens: read,
    cache_creation: { ephemeral_5m_input_tokens: write5m, ephemeral_1h_input_tokens: write1h },
    output_tokens: output,
  };
}

export function billedOf({ input, read, write5m, write1h }: PromptBill, output: number): Billed {
  return {
    inputTokens: input,
    cacheReadTokens: read,
    cacheWriteTokens: write5m,
    cacheWriteHourTokens: write1h,
    outputTokens: output,
  };
}
