import { type Block, type Conversation, type Message, table } from "@longhaul/conversation/advanced";
import type { TokenCounter } from "@longhaul/models";
import { decompose } from "../content/contents.ts";

/** The parts of a conversation that tokens are counted for, in display order. */
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
 * One part: the system prompt, tool definitions, the user's and the assistant's text, reasoning, tool inputs, tool results, images and
 * documents, and everything else (unknown blocks and message overhead).
 */
export type AnatomyPart = (typeof ANATOMY_PARTS)[number];

/** How a conversation's tokens are distributed. */
export interface Anatomy {
  readonly tokens: number;
  /** They sum to `tokens`. */
  readonly parts: Readonly<Record<AnatomyPart, number>>;
  /** By tool name, most expensive first. */
  readonly byTool: readonly ToolTokens[];
}

/** Tokens used by one tool. */
export interface ToolTokens {
  readonly name: string;
  readonly uses: number;
  readonly callTokens: number;
  readonly resultTokens: number;
}

/** Counts a conversation's tokens by part. XML tools in text count as tools. */
export function anatomyOf(conversation: Conversation, counter: TokenCounter): Anatomy {
  const tokens = counter.countConversation(conversation);
  const parts = { ...EMPTY };
  parts.tools = counter.countTools(conversation.tools);
  parts.system = counter.countSystem(conversation.system);
  const byTool = addContents(parts, conversation, counter);
  for (const block of conversation.messages.flatMap(({ blocks }) => blocks)) addBlock(parts, block, counter);
  return { tokens, parts: balanced(parts, tokens), byTool };
}

/** Assigns uncounted tokens to `other`, and subtracts double-counted ones (texts counted in pieces) from the largest part. */
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

/** Adds media and thinking. */
function addBlock(parts: Parts, block: Block, counter: TokenCounter): void {
  if (block.type === "tool-result") for (const inner of block.content) addBlock(parts, inner, counter);
  const kind = KINDS[block.type];
  if (kind === "media" || kind === "thinking") parts[kind] += counter.countBlock(block);
}

/** Parts without a distinction of the text's author. */
export type PartKind = Exclude<AnatomyPart, "user" | "assistant" | "other"> | "text";

/** The parts of a message with their shares, which sum to 1. */
export type Composition = readonly { readonly kind: PartKind; readonly share: number }[];

/** Shared objects for messages of a single kind, which are the majority. */
const WHOLE: Readonly<Record<PartKind, Composition>> = table({
  system: [{ kind: "system", share: 1 }],
  tools: [{ kind: "tools", share: 1 }],
  text: [{ kind: "text", share: 1 }],
  calls: [{ kind: "calls", share: 1 }],
  results: [{ kind: "results", share: 1 }],
  thinking: [{ kind: "thinking", share: 1 }],
  media: [{ kind: "media", share: 1 }],
});

/** Returns the composition of a message by characters. */
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

/** An image counts as this many characters, whatever its size. */
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
