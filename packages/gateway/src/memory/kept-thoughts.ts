import {
  type Block,
  type Conversation,
  clearablePrints,
  headFingerprint,
  looseFingerprint,
  type Message,
  prefixHashes,
  type RedactedThinkingBlock,
  type Request,
  stableStringify,
  type ThinkingBlock,
  type ToolCallBlock,
} from "@longhaul/conversation/advanced";
import { isUnguessable, sha256 } from "@longhaul/fit";
import { findCodec } from "@longhaul/wire";

/**
 * Stores the reasoning before tool calls, for clients that cannot hold it or must not see it. The key consists of the owner, the call's id,
 * name and arguments, and the conversation. An unguessable id identifies the conversation; otherwise the client's session name does, and
 * without one the content: then the call is found only after the identical messages.
 */
export interface KeptThoughts {
  /** Stores the reasoning before each tool call of a reply. */
  keep(scope: ReasoningScope, reply: readonly Block[]): void;
  /** Returns the request with the stored reasoning before its tool calls; the identical request if none is stored. */
  putBack(scope: ReasoningScope, request: Request): Request;
}

/** The conversation that reasoning belongs to. */
export interface ReasoningScope {
  readonly owner: string;
  /** The client's own name for the conversation, if it has one. */
  readonly conversation: string | undefined;
  /** The conversation as the client sent it; long texts may be left out. */
  readonly sent: Conversation;
  /** The same with all texts. @default `sent` */
  readonly contents?: Conversation;
}

/** The reasoning before one tool call. */
interface Thoughts {
  readonly blocks: readonly ThoughtBlock[];
  /** The signature on the call itself. */
  readonly signature?: string;
  readonly bytes: number;
}

type ThoughtBlock = ThinkingBlock | RedactedThinkingBlock;

const DEFAULT_MAX_BYTES = 32 * 1024 * 1024;

/** Makes an empty store that evicts the least recently used reasoning. */
export function makeKeptThoughts({ maxBytes = DEFAULT_MAX_BYTES }: { readonly maxBytes?: number } = {}): KeptThoughts {
  const kept = new ThoughtsMap(maxBytes);
  return {
    keep: (scope, reply) => {
      const found = thoughtsIn(reply);
      // Computing the keys is the expensive part.
      if (found.length === 0) return;
      const { messages } = scope.sent;
      const before = messages.findLastIndex(({ role }) => role !== "assistant") + 1;
      const keyOf = keysFor(scope);
      for (const [call, thoughts] of found) kept.put(keyOf(call, before), thoughts);
    },
    putBack: (scope, request) => {
      if (kept.size === 0) return request;
      const { conversation } = request;
      const keys = keysOfCalls(scope, conversation.messages);
      const changes = thoughtsFor(conversation.messages, (call) => kept.use(keys.get(call) ?? ""));
      if (changes.size === 0) return request;
      const messages = conversation.messages.flatMap((message) => changed(message, changes));
      return { ...request, conversation: { ...conversation, messages } };
    },
  };
}

/** An LRU map that is bounded in bytes. */
class ThoughtsMap {
  readonly #maxBytes: number;
  /** In the order of last use: the first entry is the oldest. */
  readonly #entries = new Map<string, Thoughts>();
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get size(): number {
    return this.#entries.size;
  }

  put(key: string, thoughts: Thoughts): void {
    this.#remove(key);
    this.#entries.set(key, thoughts);
    this.#bytes += thoughts.bytes;
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= this.#maxBytes) return;
      this.#remove(oldest);
    }
  }

  use(key: string): Thoughts | undefined {
    const thoughts = this.#entries.get(key);
    if (thoughts !== undefined) this.put(key, thoughts);
    return thoughts;
  }

  #remove(key: string): void {
    this.#bytes -= this.#entries.get(key)?.bytes ?? 0;
    this.#entries.delete(key);
  }
}

/** Returns a function that makes the key of a tool call after so many messages. */
function keysFor(scope: ReasoningScope): (call: ToolCallBlock, before: number) => string {
  const { owner, conversation } = scope;
  let prefixes: readonly string[] | undefined;
  const contentOf = (messages: number) => {
    prefixes ??= contentPrefixes(scope.contents ?? scope.sent);
    return prefixes[messages - 1] ?? "";
  };
  return ({ id, name, input }, before) => {
    const binding = isUnguessable(id) ? [] : conversation === undefined ? [contentOf(before), ""] : [conversation];
    return sha256(stableStringify([owner, id, name, input, binding]));
  };
}

/** Returns hashes of each prefix of a conversation, without its reasoning: the client may not have it. */
function contentPrefixes(conversation: Conversation): readonly string[] {
  const prints = conversation.messages.map((message) =>
    stableStringify([looseFingerprint(message, sha256), [...clearablePrints(message, sha256).results]]),
  );
  return prefixHashes(prints, sha256, headFingerprint(conversation, sha256));
}

/**
 * Returns the keys of a request's tool calls, made from the calls that the client sent: a condensed request lacks early calls, and their
 * arguments may be shortened. If several calls have one id, they are matched from the end.
 */
function keysOfCalls(scope: ReasoningScope, messages: readonly Message[]): ReadonlyMap<Block, string> {
  const keyOf = keysFor(scope);
  const sent = new Map<string, string[]>();
  let before = 0;
  for (const [index, { role, blocks }] of scope.sent.messages.entries()) {
    if (role !== "assistant") before = index + 1;
    for (const call of blocks.filter(isCall)) {
      const keys = sent.get(call.id) ?? [];
      keys.push(keyOf(call, before));
      sent.set(call.id, keys);
    }
  }
  const calls = messages.flatMap(({ blocks }) => blocks.filter(isCall)).reverse();
  return new Map(calls.map((call) => [call, sent.get(call.id)?.pop() ?? ""]));
}

function isCall(block: Block): block is ToolCallBlock {
  return block.type === "tool-call";
}

/** Returns the reasoning before each call of a reply. */
function thoughtsIn(reply: readonly Block[]): readonly (readonly [ToolCallBlock, Thoughts])[] {
  const found: (readonly [ToolCallBlock, Thoughts])[] = [];
  let before: ThoughtBlock[] = [];
  for (const block of reply) {
    if (isThought(block)) before.push(block);
    if (block.type !== "tool-call") continue;
    const blocks = before.filter(isAccepted);
    const { signature } = block;
    before = [];
    if (blocks.length === 0 && signature === undefined) continue;
    const bytes = JSON.stringify(blocks).length + (signature?.length ?? 0) + block.id.length;
    found.push([block, { blocks, ...(signature !== undefined && { signature }), bytes }]);
  }
  return found;
}

function isThought(block: Block): block is ThoughtBlock {
  return block.type === "thinking" || block.type === "redacted-thinking";
}

/** Vendors that accept reasoning only with a signature. */
const SIGNING = new Set(["anthropic", "google", "openai"]);

/** Whether a vendor accepts it later. Servers of a format without signatures expect all of it, unchanged. */
function isAccepted(thought: ThoughtBlock): boolean {
  if (thought.type === "redacted-thinking" || thought.signature !== undefined) return true;
  if (findCodec(thought.native?.wire)?.reasoning.isSigned === false) return true;
  return thought.vendor !== undefined && !SIGNING.has(thought.vendor);
}

/** The replacements of blocks. */
type Changes = Map<Block, readonly Block[]>;

/**
 * Places reasoning at the start of the assistant's turn, and reasoning between tool calls directly before the next call. It replaces what the
 * client sends of it, which may lack what the client's format cannot express.
 */
function thoughtsFor(messages: readonly Message[], find: (call: Block) => Thoughts | undefined): Changes {
  const changes: Changes = new Map();
  let round: Block[] = [];
  let isFirst = true;
  for (const message of messages) {
    if (message.role !== "assistant") [round, isFirst] = [[], true];
    for (const block of ownBlocks(message)) {
      round.push(block);
      if (block.type !== "tool-call") continue;
      const thoughts = find(block);
      if (thoughts !== undefined) changeRound(round, thoughts, { isFirst, changes });
      [round, isFirst] = [[], false];
    }
  }
  return changes;
}

/** Returns the assistant's own blocks, without a vendor's summary: it opens the conversation, and nothing may precede it. */
function ownBlocks({ role, blocks }: Message): readonly Block[] {
  return role === "assistant" ? blocks.filter(({ type }) => type !== "compaction") : [];
}

/** Changes the assistant's blocks between the previous call and this one. */
function changeRound(
  round: readonly Block[],
  { blocks, signature }: Thoughts,
  { isFirst, changes }: { isFirst: boolean; changes: Changes },
): void {
  const call = round.at(-1);
  const signed = call?.type === "tool-call" ? signedCall(call, signature) : call;
  if (call !== undefined && signed !== undefined && signed !== call) changes.set(call, [signed]);
  const first = isFirst ? round[0] : call;
  if (blocks.length === 0 || first === undefined) return;
  for (const own of round.filter(isThought)) changes.set(own, []);
  changes.set(first, [...blocks, ...(changes.get(first) ?? [first])]);
}

/** Drops a message without blocks. */
function changed(message: Message, changes: Changes): readonly Message[] {
  if (!message.blocks.some((block) => changes.has(block))) return [message];
  const { native: _, ...rest } = message;
  const blocks = message.blocks.flatMap((block) => changes.get(block) ?? [block]);
  return blocks.length === 0 ? [] : [{ ...rest, blocks }];
}

function signedCall(call: Extract<Block, { type: "tool-call" }>, signature: string | undefined): Block {
  if (signature === undefined || call.signature !== undefined) return call;
  const { native: _, ...rest } = call;
  return { ...rest, signature };
}
