import { type Block, type MediaSource, type ResultBlock, table } from "@longhaul/conversation";
import type { RowAnswer } from "@longhaul/settings";

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
