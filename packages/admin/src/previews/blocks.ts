import type { Reason } from "@longhaul/condense";
import {
  type Block,
  type Conversation,
  type MediaSource,
  type ResultBlock,
  type Role,
  table,
} from "@longhaul/conversation";
import type { RowAnswer } from "../api/previews.ts";

/** A block, and where it stands. */
export interface Placed {
  /** Index of the message; -1 in the system prompt. */
  readonly message: number;
  readonly role: Role;
  readonly block: Block;
}

/** What a block was and what it is now: without `after` it was left out, without `before` it was added. */
export interface Pair {
  readonly before?: Placed;
  readonly after?: Placed;
  /** What was added in its place. */
  readonly standIn?: Placed;
  readonly cause?: Cause;
}

/** What was done to a block, and by which pass. */
export interface Cause {
  readonly reason: Reason;
  readonly pass?: string;
}

/** All blocks of a conversation, in reading order, beginning with the system prompt. */
export function blocksOf({ system, messages }: Conversation): Placed[] {
  const prompt = system.map((block): Placed => ({ message: -1, role: "system", block }));
  return [
    ...prompt,
    ...messages.flatMap(({ role, blocks }, message) => blocks.map((block) => ({ message, role, block }))),
  ];
}

/** What a block is, in a word. */
export function kindOf({ type }: Block): RowAnswer["kind"] {
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

/** A block as a text that people can read: all that is in it but bytes and signatures. */
export function spellBlock(block: Block): string {
  switch (block.type) {
    case "text":
    case "thinking":
      return block.text;
    case "tool-call":
      return typeof block.input === "string" ? block.input : JSON.stringify(block.input, null, 2);
    case "tool-result":
      return block.content.map(spellEntry).join("\n");
    case "compaction":
      return block.text ?? "[unreadable]";
    case "redacted-thinking":
      return "[unreadable]";
    default:
      return spellEntry(block);
  }
}

function spellEntry(entry: ResultBlock): string {
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

/** An address may hold all of the bytes. */
const MAX_URL_CHARS = 200;
