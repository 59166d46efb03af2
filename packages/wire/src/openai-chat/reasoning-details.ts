import {
  type Block,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type RedactedThinkingBlock,
  type ThinkingBlock,
  table,
} from "@longhaul/conversation";
import { defined, nonEmptyString, optionalString } from "../fields/json.ts";
import { WIRE } from "./rules.ts";

/** Whose reasoning it is, by the name that OpenRouter gives to its form. */
const VENDORS: Readonly<Record<string, string>> = table({
  "anthropic-claude-v1": "anthropic",
  "google-gemini-v1": "google",
  "openai-responses-v1": "openai",
  "xai-responses-v1": "xai",
});

/** Who made a detail. */
export function vendorOfDetail(detail: JsonObject, fallback: string | undefined): string | undefined {
  const format = nonEmptyString(detail.format);
  return format === undefined ? fallback : (VENDORS[format] ?? format);
}

/** Returns the text of a detail, or its summary. */
export function wordsOfDetail({ text, summary }: JsonObject): string {
  return nonEmptyString(text) ?? nonEmptyString(summary) ?? "";
}

/** Reads one entry of `reasoning_details`. */
export function decodeDetail(value: JsonValue, fallback?: string): readonly Block[] {
  if (!isJsonObject(value)) return [];
  const native = { wire: WIRE, value };
  const vendor = vendorOfDetail(value, fallback);
  if (value.type === "reasoning.encrypted") {
    return [defined({ type: "redacted-thinking", data: optionalString(value.data) ?? "", vendor, native })];
  }
  const signature = nonEmptyString(value.signature);
  return [
    defined({ type: "thinking", text: wordsOfDetail(value), signature, id: nonEmptyString(value.id), vendor, native }),
  ];
}

/** Puts an entry together from the pieces that a stream brings: their words follow each other, of everything else the last counts. */
export function joinDetails(before: JsonObject | undefined, piece: JsonObject): JsonObject {
  const given = Object.entries(piece).filter(([, value]) => value !== null);
  const joined = given.map(([name, value]) => {
    const said = before?.[name];
    const isWords = WORDS.has(name) && typeof said === "string" && typeof value === "string";
    return [name, isWords ? said + value : value] as const;
  });
  return { ...before, ...Object.fromEntries(joined) };
}

const WORDS = new Set(["text", "summary"]);

/** The type of a part of a message's content that holds thinking, as Mistral writes it. */
export const THINKING_PART = "thinking";

/** Writes one entry of `reasoning_details`; one that came as such is written as it came. */
export function encodeDetail(block: ThinkingBlock | RedactedThinkingBlock, index: number): JsonObject {
  if (block.native?.wire === WIRE && isJsonObject(block.native.value)) return block.native.value;
  const format = formatOf(block.vendor);
  if (block.type === "redacted-thinking") {
    return { type: "reasoning.encrypted", data: block.data, ...defined({ format }), index };
  }
  const { text, signature, id } = block;
  return { type: "reasoning.text", text, ...defined({ signature, id, format }), index };
}

/** The name of the form in which a vendor's reasoning is given. */
export function formatOf(vendor: string | undefined): string | undefined {
  const known = Object.entries(VENDORS).find(([, maker]) => maker === vendor);
  return known?.[0] ?? vendor;
}
