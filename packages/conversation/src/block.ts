import type { JsonObject, JsonValue } from "./values/json.ts";

/** Name of a wire format. */
export type WireId = "openai-chat" | "openai-responses" | "anthropic-messages" | "gemini";

/** Fields that any part of a conversation may have in addition to its canonical content. */
export interface Carrier {
  /**
   * The value that this part was decoded from. A writer of the same format may emit it unchanged; code that edits the part must drop it.
   */
  readonly native?: Native;
  /** Fields that the canonical model does not know. They are written back only to the format that they came from. */
  readonly extra?: JsonObject;
}

/** A value as one format writes it. */
export interface Native {
  /** A wire format, or another format that conversations are read from, such as a log or an SDK. */
  readonly wire: string;
  readonly value: JsonValue;
}

/** A request to cache everything up to and including this part. */
export interface CacheMark {
  readonly ttl?: "5m" | "1h";
}

interface Markable extends Carrier {
  readonly cache?: CacheMark;
}

/** Plain text from the user or the model. */
export interface TextBlock extends Markable {
  readonly type: "text";
  readonly text: string;
}

/** Location of the bytes of an image or a document. */
export type MediaSource =
  | { readonly kind: "base64"; readonly mediaType: string; readonly data: string }
  | { readonly kind: "url"; readonly url: string; readonly mediaType?: string }
  | { readonly kind: "file"; readonly id: string; readonly mediaType?: string };

/** An image. */
export interface ImageBlock extends Markable {
  readonly type: "image";
  readonly source: MediaSource;
  /** Image detail, with OpenAI's values. */
  readonly detail?: "low" | "high" | "auto" | "original";
}

/** A file that the model reads: a PDF or plain text. */
export interface DocumentBlock extends Markable {
  readonly type: "document";
  readonly source: MediaSource | { readonly kind: "text"; readonly text: string };
  readonly title?: string;
  readonly context?: string;
}

/** A tool call requested by the model. */
export interface ToolCallBlock extends Markable {
  readonly type: "tool-call";
  readonly id: string;
  readonly name: string;
  /** An object. A string only if the tool takes free text or the model's arguments are not valid JSON. */
  readonly input: JsonValue;
  /** False if the tool takes named arguments and the model's text is not valid JSON. @default whether `input` is a string */
  readonly freeText?: boolean;
  /** The vendor's signature of the reasoning that led to this call (Gemini's thought signature). */
  readonly signature?: string;
}

/** A block that a tool result may contain. */
export type ResultBlock = TextBlock | ImageBlock | DocumentBlock | OpaqueBlock;

/** The result of a tool call. */
export interface ToolResultBlock extends Markable {
  readonly type: "tool-result";
  readonly callId: string;
  /** The tool's name, if the format includes it. */
  readonly name?: string;
  readonly content: readonly ResultBlock[];
  readonly isError: boolean;
}

/** Reasoning that may be shown to the user. */
export interface ThinkingBlock extends Carrier {
  readonly type: "thinking";
  readonly text: string;
  /** The vendor's signature or the encrypted reasoning; only `vendor` can read it. */
  readonly signature?: string;
  readonly id?: string;
  /** The vendor that produced the block; no other vendor accepts its signature. */
  readonly vendor?: string;
}

/** Reasoning that only its vendor can read. */
export interface RedactedThinkingBlock extends Carrier {
  readonly type: "redacted-thinking";
  readonly data: string;
  readonly vendor?: string;
}

/** A vendor's summary of everything before it. */
export interface CompactionBlock extends Markable {
  readonly type: "compaction";
  /** Null if the vendor keeps it encrypted or if compaction failed. */
  readonly text: string | null;
  readonly encrypted?: string;
  readonly vendor?: string;
}

/** A block that the canonical model does not know. It is kept or dropped whole, never cut. */
export interface OpaqueBlock extends Markable {
  readonly type: "opaque";
  /** Its type in its own format. */
  readonly kind: string;
  readonly native: Native;
  /** Present on a call of one of the vendor's own tools, and on its result. One is never kept without the other. */
  readonly pair?: OpaquePair;
}

/** The side of an opaque block in a tool pair. A call and its result have the same id, which differs from those of tool calls. */
export interface OpaquePair {
  readonly side: "call" | "result";
  readonly id: string;
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

/** The `type` of a block. */
export type BlockType = Block["type"];

// Only the head is matched: tens of megabytes of base64 may follow the comma.
const DATA_URL_HEAD = /^data:([^;,]*)((?:;[^;,]*)*),/i;

/** Parses a URL; a `data:` URL with base64 becomes inline bytes. */
export function sourceOfUrl(url: string): MediaSource {
  const head = DATA_URL_HEAD.exec(url.slice(0, 200));
  if (head === null || !/;base64$/i.test(head[2] ?? "")) return { kind: "url", url };
  return { kind: "base64", mediaType: head[1] ?? "", data: url.slice(head[0].length) };
}

/** Returns the URL of a source, or undefined for a file that the vendor stores. */
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
