import {
  type Block,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type RedactedThinkingBlock,
  type ThinkingBlock,
  table,
} from "@longhaul/conversation/advanced";
import { defined, nonEmptyString, optionalString } from "../fields/json.ts";
import { WIRE } from "./rules.ts";

/** Vendors by OpenRouter's name of the reasoning format. */
const VENDORS: Readonly<Record<string, string>> = table({
  "anthropic-claude-v1": "anthropic",
  "google-gemini-v1": "google",
  "openai-responses-v1": "openai",
  "xai-responses-v1": "xai",
});

/** Returns the vendor of a detail. */
export function vendorOfDetail(detail: JsonObject, fallback: string | undefined): string | undefined {
  const format = nonEmptyString(detail.format);
  return format === undefined ? fallback : (VENDORS[format] ?? format);
}

/** Returns the text of a detail, or its summary. */
export function textOfDetail({ text, summary }: JsonObject): string {
  return nonEmptyString(text) ?? nonEmptyString(summary) ?? "";
}

/** Decodes one entry of `reasoning_details`. */
export function decodeDetail(value: JsonValue, fallback?: string): readonly Block[] {
  if (!isJsonObject(value)) return [];
  const native = { wire: WIRE, value };
  const vendor = vendorOfDetail(value, fallback);
  if (value.type === "reasoning.encrypted") {
    return [defined({ type: "redacted-thinking", data: optionalString(value.data) ?? "", vendor, native })];
  }
  const signature = nonEmptyString(value.signature);
  return [
    defined({ type: "thinking", text: textOfDetail(value), signature, id: nonEmptyString(value.id), vendor, native }),
  ];
}

/** Merges a streamed piece into an entry: texts are concatenated, other fields are replaced. */
export function joinDetails(before: JsonObject | undefined, piece: JsonObject): JsonObject {
  const given = Object.entries(piece).filter(([, value]) => value !== null);
  const joined = given.map(([name, value]) => {
    const earlier = before?.[name];
    const isText = TEXT_FIELDS.has(name) && typeof earlier === "string" && typeof value === "string";
    return [name, isText ? earlier + value : value] as const;
  });
  return { ...before, ...Object.fromEntries(joined) };
}

const TEXT_FIELDS = new Set(["text", "summary"]);

/** The type of Mistral's content parts that contain thinking. */
export const THINKING_PART = "thinking";

/** Encodes one entry of `reasoning_details`. An unchanged entry is written as received. */
export function encodeDetail(block: ThinkingBlock | RedactedThinkingBlock, index: number): JsonObject {
  if (block.native?.wire === WIRE && isJsonObject(block.native.value)) return block.native.value;
  const format = formatOf(block.vendor);
  if (block.type === "redacted-thinking") {
    return { type: "reasoning.encrypted", data: block.data, ...defined({ format }), index };
  }
  const { text, signature, id } = block;
  return { type: "reasoning.text", text, ...defined({ signature, id, format }), index };
}

/** Returns OpenRouter's format name for a vendor's reasoning. */
export function formatOf(vendor: string | undefined): string | undefined {
  const known = Object.entries(VENDORS).find(([, maker]) => maker === vendor);
  return known?.[0] ?? vendor;
}
