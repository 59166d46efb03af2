import type { JsonValue } from "@longhaul/conversation";
import type { Rules } from "../codec/rules.ts";
import { optionalString } from "../fields/json.ts";

export const WIRE = "openai-responses";

export const VENDOR = "openai";

/** Separates a namespace from a name. It is illegal in tool names, so other formats get a replacement for joined names. */
const BETWEEN = "/";

const JOINED = new RegExp(`^[^${BETWEEN}]+${BETWEEN}`);

export const RULES: Rules = {
  wire: WIRE,
  vendor: VENDOR,
  lacks: {
    "sampling.topK": "drop",
    "sampling.frequencyPenalty": "drop",
    "sampling.presencePenalty": "drop",
    "sampling.seed": "drop",
    "sampling.stopSequences": "drop",
    "document.context": "drop",
  },
  merges: [],
  opensWithUser: false,
  systemMessages: true,
  refusesBlankText: false,
  resultsAdjacent: false,
  compaction: true,
  freeTextTools: true,
  callIds: { illegal: /[^\x21-\x7e]/g, maxChars: 64 },
  toolNames: { illegal: /[^a-zA-Z0-9_-]/g, maxChars: 64, own: JOINED },
  cacheMarks: "none",
  maxCacheMarks: 4,
  markable: new Set(["text", "image", "document", "tool-result"] as const),
  maxStopSequences: 0,
  maxTemperature: 2,
  maxUserChars: 64,
  reasoning: { modes: ["off", "effort"] },
  acceptsThinking: (block, { vendor }) => {
    if (block.vendor !== vendor) return false;
    // Reasoning without encrypted content can only be sent by id, which only its own server understands.
    return block.type === "redacted-thinking" || block.signature !== undefined || block.native?.wire === WIRE;
  },
};

/** Returns the canonical name of a tool, which may be in a namespace. */
export function joinName(name: string, namespace: JsonValue | undefined): string {
  const space = optionalString(namespace) ?? "";
  return space === "" ? name : `${space}${BETWEEN}${name}`;
}

/**
 * Returns the name of the tool that an item calls. A tool that the model found by searching has a namespace with the tool's own name,
 * which the client did not define.
 */
export function calledName(name: string, namespace: JsonValue | undefined): string {
  return namespace === name ? name : joinName(name, namespace);
}

/** Splits a canonical name into the fields of an item. */
export function encodeName(joined: string): { readonly name: string; readonly namespace?: string } {
  const at = joined.indexOf(BETWEEN);
  if (at <= 0) return { name: joined };
  return { name: joined.slice(at + BETWEEN.length), namespace: joined.slice(0, at) };
}
