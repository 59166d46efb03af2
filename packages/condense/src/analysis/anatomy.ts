import { type Block, type Conversation, type Message, table } from "@longhaul/conversation";
import type { TokenCounter } from "@longhaul/models";
import { decompose } from "../content/contents.ts";

/** What a conversation's tokens are spent on, in the order in which it is told. */
export const ANATOMY_PARTS = [
  "system",
  "tools",
  "user",
  "assistant",
  "thinking",
  "calls",
  "results",
  "media",
  "other",
] as const;

/**
 * One kind of content: the system prompt, the tools' descriptions, what the user and the assistant say, what the model thought, what tools
 * were called with and what they answered, images and documents, and everything else: unknown blocks and what stands around messages.
 */
export type AnatomyPart = (typeof ANATOMY_PARTS)[number];

/** Where a conversation's tokens are. */
export interface Anatomy {
  readonly tokens: number;
  /** They sum up to `tokens`. */
  readonly parts: Readonly<Record<AnatomyPart, number>>;
  /** By the name of the tool, the most expensive first. */
  readonly byTool: readonly ToolTokens[];
}

/** What the uses of one tool take. */
export interface ToolTokens {
  readonly name: string;
  readonly uses: number;
  readonly callTokens: number;
  readonly resultTokens: number;
}

/** Takes a conversation's tokens apart. Tools that are XML inside text count as tools. */
export function anatomyOf(conversation: Conversation, counter: TokenCounter): Anatomy {
  const tokens = counter.countConversation(conversation);
  const parts = { ...EMPTY };
  parts.tools = counter.countTools(conversation.tools);
  parts.system = counter.countSystem(conversation.system);
  const byTool = addContents(parts, conversation, counter);
  for (const block of conversation.messages.flatMap(({ blocks }) => blocks)) addBlock(parts, block, counter);
  return { tokens, parts: balanced(parts, tokens), byTool };
}

/** What is not accounted for is other; what is accounted for twice, because texts were counted piece by piece, is the largest part's. */
function balanced(parts: Readonly<Parts>, tokens: number): Parts {
  const rest = ANATOMY_PARTS.reduce((left, part) => left - parts[part], tokens);
  const largest = ANATOMY_PARTS.reduce((most, part) => (parts[part] > parts[most] ? part : most));
  const bearer = rest >= 0 ? "other" : largest;
  return { ...parts, [bearer]: parts[bearer] + rest };
}

const EMPTY: Readonly<Record<AnatomyPart, number>> = {
  system: 0,
  tools: 0,
  user: 0,
  assistant: 0,
  thinking: 0,
  calls: 0,
  results: 0,
  media: 0,
  other: 0,
};

type Parts = Record<AnatomyPart, number>;

function addContents(parts: Parts, { messages }: Conversation, counter: TokenCounter): ToolTokens[] {
  const byTool = new Map<string, { callTokens: number; resultTokens: number; uses: Set<unknown> }>();
  for (const { text, level, role, use } of decompose(messages).contents) {
    const tokens = counter.countText(text);
    if (level === "text") parts[role] += tokens;
    else parts[level === "parameters" ? "calls" : "results"] += tokens;
    if (use === undefined) continue;
    const tool = byTool.get(use.name) ?? { callTokens: 0, resultTokens: 0, uses: new Set() };
    byTool.set(use.name, tool);
    tool.uses.add(use);
    if (level === "result") tool.resultTokens += tokens;
    else tool.callTokens += tokens;
  }
  return [...byTool]
    .map(([name, { uses, ...tokens }]) => ({ name, uses: uses.size, ...tokens }))
    .sort((a, b) => b.callTokens + b.resultTokens - a.callTokens - a.resultTokens);
}

/** Adds what is no text of anybody's. */
function addBlock(parts: Parts, block: Block, counter: TokenCounter): void {
  if (block.type === "tool-result") for (const inner of block.content) addBlock(parts, inner, counter);
  const kind = KINDS[block.type];
  if (kind === "media" || kind === "thinking") parts[kind] += counter.countBlock(block);
}

/** The kinds again, more coarsely: who said a text is left open. */
export type PartKind = Exclude<AnatomyPart, "user" | "assistant" | "other"> | "text";

/** Of which kinds a message is, each with its share; the shares sum to 1. */
export type Composition = readonly { readonly kind: PartKind; readonly share: number }[];

/** Messages of one kind are most of all, so they share what is said of them. */
const WHOLE: Readonly<Record<PartKind, Composition>> = table({
  system: [{ kind: "system", share: 1 }],
  tools: [{ kind: "tools", share: 1 }],
  text: [{ kind: "text", share: 1 }],
  calls: [{ kind: "calls", share: 1 }],
  results: [{ kind: "results", share: 1 }],
  thinking: [{ kind: "thinking", share: 1 }],
  media: [{ kind: "media", share: 1 }],
});

/** What a message is made of, by characters. */
export function compositionOf({ role, blocks }: Message): Composition {
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
