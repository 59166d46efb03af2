import { type Block, type Message, table } from "@longhaul/conversation";

/** What a part of a prompt is. */
export type PartKind = "system" | "tools" | "text" | "calls" | "results" | "thinking" | "media";

/** Of which kinds a message is, each with its share; the shares sum to 1. */
export type MakeUp = readonly { readonly kind: PartKind; readonly share: number }[];

/** Messages of one kind are most of all, so they share what is said of them. */
const WHOLE: Readonly<Record<PartKind, MakeUp>> = table({
  system: [{ kind: "system", share: 1 }],
  tools: [{ kind: "tools", share: 1 }],
  text: [{ kind: "text", share: 1 }],
  calls: [{ kind: "calls", share: 1 }],
  results: [{ kind: "results", share: 1 }],
  thinking: [{ kind: "thinking", share: 1 }],
  media: [{ kind: "media", share: 1 }],
});

/** What a message is made of, by characters. */
export function makeUpOf({ role, blocks }: Message): MakeUp {
  if (role === "system") return WHOLE.system;
  const sizes = new Map<PartKind, number>();
  for (const block of blocks) {
    const kind = KINDS[block.type];
    sizes.set(kind, (sizes.get(kind) ?? 0) + charactersOf(block));
  }
  const all = [...sizes.values()].reduce((sum, size) => sum + size, 0);
  const [first = "text"] = sizes.keys();
  if (sizes.size <= 1 || all === 0) return WHOLE[first];
  return [...sizes].map(([kind, size]) => ({ kind, share: size / all }));
}

const KINDS: Readonly<Record<Block["type"], PartKind>> = table({
  text: "text",
  image: "media",
  document: "media",
  "tool-call": "calls",
  "tool-result": "results",
  thinking: "thinking",
  "redacted-thinking": "thinking",
  compaction: "text",
  opaque: "text",
});

/** A picture counts as much as this many characters, whatever its bytes. */
const MEDIA_CHARACTERS = 5_000;

function charactersOf(block: Block): number {
  switch (block.type) {
    case "text":
      return block.text.length;
    case "image":
      return MEDIA_CHARACTERS;
    case "document":
      return block.source.kind === "text" ? block.source.text.length : MEDIA_CHARACTERS;
    case "tool-call":
      return block.name.length + JSON.stringify(block.input).length;
    case "tool-result":
      return block.content.reduce((sum, inner) => sum + charactersOf(inner), 0);
    case "thinking":
      return Math.max(block.text.length, block.signature?.length ?? 0);
    case "redacted-thinking":
      return block.data.length;
    case "compaction":
      return (block.text ?? block.encrypted ?? "").length;
    case "opaque":
      return JSON.stringify(block.native.value).length;
    default:
      return block satisfies never;
  }
}
