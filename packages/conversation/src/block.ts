import type { JsonObject, JsonValue } from "./values/json.ts";

/** The name of a wire format. */
export type WireId = "openai-chat" | "openai-responses" | "anthropic-messages" | "gemini";

/** What every part of a conversation may carry besides its meaning. */
export interface Carrier {
  /** The value it was decoded from. A writer of the same format may write it back as it is; whoever changes the part drops it. */
  readonly native?: Native;
  /** Fields that the canonical model has no name for. They ride along and are written back to the format they came from. */
  readonly extra?: JsonObject;
}

/** A value as one format spelled it. */
export interface Native {
  /** A wire format, or the name of another notation that conversations are read from: a log, an SDK. */
  readonly wire: string;
  readonly value: JsonValue;
}

/** A client's wish to have everything up to and including this part cached. */
export interface CacheMark {
  readonly ttl?: "5m" | "1h";
}

interface Markable extends Carrier {
  readonly cache?: CacheMark;
}

/** Plain words, the user's or the model's. */
export interface TextBlock extends Markable {
  readonly type: "text";
  readonly text: string;
}

/** Where the bytes of an image or a document are. */
export type MediaSource =
  | { readonly kind: "base64"; readonly mediaType: string; readonly data: string }
  | { readonly kind: "url"; readonly url: string; readonly mediaType?: string }
  | { readonly kind: "file"; readonly id: string; readonly mediaType?: string };

/** A picture. */
export interface ImageBlock extends Markable {
  readonly type: "image";
  readonly source: MediaSource;
  /** How closely the model should look, in OpenAI's words. */
  readonly detail?: "low" | "high" | "auto" | "original";
}

/** A file that the model reads: a PDF, or plain text. */
export interface DocumentBlock extends Markable {
  readonly type: "document";
  readonly source: MediaSource | { readonly kind: "text"; readonly text: string };
  readonly title?: string;
  readonly context?: string;
}

/** The model asks for a tool to be run. */
export interface ToolCallBlock extends Markable {
  readonly type: "tool-call";
  readonly id: string;
  readonly name: string;
  /** An object; a string only for tools that take free text, or where the model wrote arguments that are not JSON. */
  readonly input: JsonValue;
  /** False where the tool takes arguments with names and the model wrote a text that is not JSON. @default whether `input` is a string */
  readonly freeText?: boolean;
  /** A vendor's proof of the reasoning that led to this call (Gemini's thought signature). */
  readonly signature?: string;
}

/** What may stand inside a tool result. */
export type ResultBlock = TextBlock | ImageBlock | DocumentBlock | OpaqueBlock;

/** What a tool answered. */
export interface ToolResultBlock extends Markable {
  readonly type: "tool-result";
  readonly callId: string;
  /** The tool's name, where the format says it. */
  readonly name?: string;
  readonly content: readonly ResultBlock[];
  readonly isError: boolean;
}

/** The model's reasoning as it may be shown. */
export interface ThinkingBlock extends Carrier {
  readonly type: "thinking";
  readonly text: string;
  /** The vendor's signature or encrypted form; only `vendor` can read it. */
  readonly signature?: string;
  readonly id?: string;
  /** Who made it: a signature is worth nothing to anybody else. */
  readonly vendor?: string;
}

/** Reasoning that only its vendor can read. */
export interface RedactedThinkingBlock extends Carrier {
  readonly type: "redacted-thinking";
  readonly data: string;
  readonly vendor?: string;
}

/** A vendor's own summary of everything before it. */
export interface CompactionBlock extends Markable {
  readonly type: "compaction";
  /** Null where the vendor keeps it unreadable, or where compaction failed. */
  readonly text: string | null;
  readonly encrypted?: string;
  readonly vendor?: string;
}

/** A block that the canonical model has no name for; it can be kept or dropped whole, never cut. */
export interface OpaqueBlock extends Markable {
  readonly type: "opaque";
  /** What its own format calls it. */
  readonly kind: string;
  readonly native: Native;
}

/** One part of a message. */
export type Block =
  | TextBlock
  | ImageBlock
  | DocumentBlock
  | ToolCallBlock
  | ToolResultBlock
  | ThinkingBlock
  | RedactedThinkingBlock
  | CompactionBlock
  | OpaqueBlock;

/** A block's type as a word. */
export type BlockType = Block["type"];

// Only the head is matched: a picture can have tens of megabytes of base64 behind the comma.
const DATA_URL_HEAD = /^data:([^;,]*)((?:;[^;,]*)*),/i;

/** Reads an address: a `data:` one holds the bytes themselves. */
export function sourceOfUrl(url: string): MediaSource {
  const head = DATA_URL_HEAD.exec(url.slice(0, 200));
  if (head === null || !/;base64$/i.test(head[2] ?? "")) return { kind: "url", url };
  return { kind: "base64", mediaType: head[1] ?? "", data: url.slice(head[0].length) };
}

/** The address of a source that has one. */
export function urlOfSource(source: MediaSource): string | undefined {
  switch (source.kind) {
    case "base64":
      return `data:${source.mediaType};base64,${source.data}`;
    case "url":
      return source.url;
    case "file":
      return undefined;
    default:
      return source satisfies never;
  }
}
