import type { Reason } from "@longhaul/condense/advanced";
import {
  type Block,
  type Conversation,
  type MediaSource,
  type ResultBlock,
  type Role,
  table,
} from "@longhaul/conversation/advanced";
import type { RowAnswer } from "../api/previews.ts";

export interface LocatedBlock {
  /** Index of the message; -1 in the system prompt. */
  readonly message: number;
  readonly role: Role;
  readonly block: Block;
}

/** A block before and after condensing: without `after` it was removed, without `before` it was added. */
export interface Pair {
  readonly before?: LocatedBlock;
  readonly after?: LocatedBlock;
  /** The block that was added instead. */
  readonly replacement?: LocatedBlock;
  readonly cause?: Cause;
}

export interface Cause {
  readonly reason: Reason;
  readonly pass?: string;
}

/** Returns all blocks of a conversation in reading order, starting with the system prompt. */
export function blocksOf({ system, messages }: Conversation): LocatedBlock[] {
  const prompt = system.map((block): LocatedBlock => ({ message: -1, role: "system", block }));
  return [
    ...prompt,
    ...messages.flatMap(({ role, blocks }, message) => blocks.map((block) => ({ message, role, block }))),
  ];
}

export function kindOfBlock({ type }: Block): RowAnswer["kind"] {
  return KINDS[type];
}

const KINDS: Readonly<Record<Block["type"], RowAnswer["kind"]>> = table({
  text: "text",
  image: "image",
  document: "document",
  "tool-call": "call",
  "tool-result": "result",
  thinking: "thinking",
  "redacted-thinking": "thinking",
  compaction: "compaction",
  opaque: "other",
});

/** Returns a block as readable text: everything except bytes and signatures. */
export function blockText(block: Block): string {
  switch (block.type) {
    case "text":
    case "thinking":
      return block.text;
    case "tool-call":
      return typeof block.input === "string" ? block.input : JSON.stringify(block.input, null, 2);
    case "tool-result":
      return block.content.map(entryText).join("\n");
    case "compaction":
      return block.text ?? "[unreadable]";
    case "redacted-thinking":
      return "[unreadable]";
    default:
      return entryText(block);
  }
}

function entryText(entry: ResultBlock): string {
  switch (entry.type) {
    case "text":
      return entry.text;
    case "image":
      return `[image: ${describeSource(entry.source)}]`;
    case "document":
      return entry.source.kind === "text" ? entry.source.text : `[document: ${describeSource(entry.source)}]`;
    case "opaque":
      return `[${entry.kind}]`;
    default:
      return entry satisfies never;
  }
}

/** Four characters of base64 are three bytes. */
const BYTES_PER_CHARACTER = 3 / 4;

function describeSource(source: MediaSource): string {
  if (source.kind === "url") return source.url.slice(0, MAX_URL_CHARS);
  if (source.kind === "file") return source.id;
  return `${source.mediaType}, ${Math.round((source.data.length * BYTES_PER_CHARACTER) / 1024)} KiB`;
}

/** Data URLs contain all the bytes. */
const MAX_URL_CHARS = 200;
