import type { JsonValue } from "@longhaul/conversation";
import type { Rules } from "../codec/rules.ts";
import { optionalString } from "../fields/json.ts";

/** The name of the format. */
export const WIRE = "openai-responses";

/** Whose sealed reasoning it carries. */
export const VENDOR = "openai";

/** Stands between a namespace and a name. No tool may have it in its name, so that other formats are given another name for such a tool. */
const BETWEEN = "/";

/** Names that tools of a namespace have. */
const JOINED = new RegExp(`^[^${BETWEEN}]+${BETWEEN}`);

/** What OpenAI's Responses API cannot express or does not allow. */
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
    // Without its sealed form a piece of reasoning can only be named, which its own server understands.
    return block.type === "redacted-thinking" || block.signature !== undefined || block.native?.wire === WIRE;
  },
};

/** One name for a tool that may stand in a namespace. */
export function joinName(name: string, namespace: JsonValue | undefined): string {
  const space = optionalString(namespace) ?? "";
  return space === "" ? name : `${space}${BETWEEN}${name}`;
}

/**
 * Returns the name of the tool that an item calls. A tool that the model found by searching is in a namespace of its own name, which the
 * client did not define.
 */
export function calledName(name: string, namespace: JsonValue | undefined): string {
  return namespace === name ? name : joinName(name, namespace);
}

/** The fields by which an item names a tool. */
export function encodeName(joined: string): { readonly name: string; readonly namespace?: string } {
  const at = joined.indexOf(BETWEEN);
  if (at <= 0) return { name: joined };
  return { name: joined.slice(at + BETWEEN.length), namespace: joined.slice(0, at) };
}
