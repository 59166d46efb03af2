import { isGiven, type JsonObject, objectIn, objectsIn, omit, textIn } from "../core/json.ts";
import type { World } from "../core/world.ts";
import { blocksIn, type Message, placedBlocks, spellBlock } from "./messages.ts";

/** A stretch of the prompt that can be cached up to its end. */
export interface Segment {
  /** What decides whether two prompts are the same up to here. */
  readonly text: string;
  /** With a fraction: sums stay exact. */
  readonly tokens: number;
  /** Where the client set a cache breakpoint: how long to keep what lies before it. */
  readonly ttl?: "5m" | "1h";
  /** Whether automatic caching may end here. */
  readonly isCacheable: boolean;
}

const REQUEST_TOKENS = 3;
const MESSAGE_TOKENS = 4;
const TOOL_TOKENS = 8;
/** What an image counts, whatever its size: the largest that is not scaled down. */
const IMAGE_TOKENS = 1_600;
const DOCUMENT_TOKENS = 3_000;

/** What a prompt is made of. */
export interface PromptParts {
  readonly body: JsonObject;
  readonly messages: readonly Message[];
  /** Tokens of blocks that say less than they stand for: signed thinking. */
  readonly tokens: ReadonlyMap<JsonObject, number>;
}

/** The prompt in the order in which it is cached: tools, system, messages. */
export function segmentsOf({ body, messages, tokens }: PromptParts, { tokenizer }: World): readonly Segment[] {
  const weigh = (block: JsonObject) => tokens.get(block) ?? blockTokens(block, tokenizer.weigh);
  const tools = objectsIn(body.tools).map((tool) => {
    const text = JSON.stringify(omit(tool, "cache_control"));
    return segment(tool, text, TOOL_TOKENS + tokenizer.weigh(text));
  });
  const system = blocksIn(body.system).map((block) => segment(block, `system:${spellBlock(block)}`, weigh(block)));
  const seed = messageSeed(body);
  const said = placedBlocks(messages).map(({ block, role, index }) =>
    segment(block, `${seed}${role}:${spellBlock(block)}`, weigh(block) + (index === 0 ? MESSAGE_TOKENS : 0)),
  );
  return [...tools, ...system, ...said];
}

/** Tokens of a whole prompt. */
export function totalTokens(segments: readonly Segment[]): number {
  return Math.ceil(segments.reduce((sum, { tokens }) => sum + tokens, REQUEST_TOKENS));
}

/** Tool choice and thinking do not touch what is cached of tools and system, but all that is cached of messages. */
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

function blockTokens(block: JsonObject, weigh: (text: string) => number): number {
  switch (block.type) {
    case "text":
      return weigh(textIn(block.text));
    case "image":
      return IMAGE_TOKENS;
    case "document":
      return documentTokens(block, weigh);
    case "thinking":
      return weigh(textIn(block.thinking));
    case "tool_use":
      return weigh(spellCall(block));
    case "tool_result":
      return blocksIn(block.content).reduce((sum, inner) => sum + blockTokens(inner, weigh), weigh(RESULT_TAGS));
    case "compaction":
      return weigh(textIn(block.content));
    default:
      return weigh(JSON.stringify(omit(block, "cache_control")));
  }
}

/** What stands around the result of a call. */
const RESULT_TAGS = "<function_results>\n<result>\n\n</result>\n</function_results>";

/** A call as the model reads it: tags, with every argument by itself. */
function spellCall({ name, input }: JsonObject): string {
  const parameters = Object.entries(objectIn(input)).map(([key, value]) => {
    const text = typeof value === "string" ? value : JSON.stringify(value);
    return `<parameter name="${key}">${text}</parameter>\n`;
  });
  const call = `<invoke name="${textIn(name)}">\n${parameters.join("")}</invoke>`;
  return `<function_calls>\n${call}\n</function_calls>`;
}

function documentTokens({ source }: JsonObject, weigh: (text: string) => number): number {
  const { type, data, content } = objectIn(source);
  if (type === "text") return weigh(textIn(data));
  if (type === "content") return blocksIn(content).reduce((sum, inner) => sum + blockTokens(inner, weigh), 0);
  return DOCUMENT_TOKENS;
}
