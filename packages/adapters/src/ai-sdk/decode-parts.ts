import type {
  LanguageModelV4FilePart,
  LanguageModelV4ReasoningPart,
  LanguageModelV4ToolResultOutput,
} from "@ai-sdk/provider";
import {
  type DocumentBlock,
  type ImageBlock,
  type MediaSource,
  type OpaqueBlock,
  type RedactedThinkingBlock,
  type ResultBlock,
  type ThinkingBlock,
  type ToolResultBlock,
  textBlock,
} from "@longhaul/conversation";
import { toJson } from "../translate.ts";

/** What a tool gave back, as a result's content. */
export function decodeOutput(output: LanguageModelV4ToolResultOutput): Pick<ToolResultBlock, "content" | "isError"> {
  switch (output.type) {
    case "text":
    case "error-text":
      return { content: [textBlock(output.value)], isError: output.type === "error-text" };
    case "json":
    case "error-json":
      return { content: [textBlock(JSON.stringify(output.value))], isError: output.type === "error-json" };
    case "execution-denied":
      return { content: [textBlock(output.reason ?? "")], isError: true };
    case "content":
      return { content: output.value.map(decodeEntry), isError: false };
    default:
      return output satisfies never;
  }
}

type Entry = Extract<LanguageModelV4ToolResultOutput, { type: "content" }>["value"][number];

function decodeEntry(entry: Entry): ResultBlock {
  if (entry.type === "text") return textBlock(entry.text);
  return entry.type === "file" ? decodeFile(entry) : opaque(entry);
}

// Where the providers of Anthropic, Google and OpenAI put what only their vendor can read.
const REDACTED = "redactedData";
const SIGNATURES = ["signature", "thoughtSignature", "reasoningEncryptedContent"];

/** A model's reasoning, with what its vendor sealed in the options, because that counts as tokens too. */
export function decodeReasoning({
  text,
  providerOptions = {},
}: LanguageModelV4ReasoningPart): ThinkingBlock | RedactedThinkingBlock {
  for (const options of Object.values(providerOptions)) {
    const data = options[REDACTED];
    if (typeof data === "string") return { type: "redacted-thinking", data };
    const signature = SIGNATURES.map((key) => options[key]).find((value) => typeof value === "string");
    if (typeof signature === "string") return { type: "thinking", text, signature };
  }
  return { type: "thinking", text };
}

type File = Pick<LanguageModelV4FilePart, "type" | "data" | "mediaType" | "filename">;

/** A file as a picture or a document; one that is neither (sound, video) is kept or dropped whole. */
export function decodeFile(file: File): ImageBlock | DocumentBlock | OpaqueBlock {
  const [kind] = file.mediaType.split("/");
  const title = file.filename === undefined ? {} : { title: file.filename };
  if (file.data.type === "text") return { type: "document", source: { kind: "text", text: file.data.text }, ...title };
  const source = sourceOf(file.data, file.mediaType);
  if (kind === "image") return { type: "image", source };
  if (kind === "application" || kind === "text") return { type: "document", source, ...title };
  return opaque({ type: file.type, ...source });
}

function sourceOf(data: Exclude<File["data"], { type: "text" }>, mediaType: string): MediaSource {
  switch (data.type) {
    case "data":
      return { kind: "base64", mediaType, data: typeof data.data === "string" ? data.data : toBase64(data.data) };
    case "url":
      return { kind: "url", url: data.url.toString(), mediaType };
    case "reference":
      return { kind: "file", id: JSON.stringify(data.reference), mediaType };
    default:
      return data satisfies never;
  }
}

/** A part that is kept or dropped whole, as a block. */
export function opaque(part: { readonly type: string; readonly providerOptions?: unknown }): OpaqueBlock {
  const { providerOptions: _, ...rest } = part;
  return { type: "opaque", kind: part.type.replaceAll("-", "_"), native: { wire: "ai-sdk", value: toJson(rest) } };
}

/** How many bytes become arguments of one call. */
const CHUNK = 8_192;

/** Bytes as base64, on every runtime that has `btoa`. */
export function toBase64(bytes: Uint8Array): string {
  let binary = "";
  for (let start = 0; start < bytes.length; start += CHUNK) {
    binary += String.fromCharCode(...bytes.subarray(start, start + CHUNK));
  }
  return btoa(binary);
}
