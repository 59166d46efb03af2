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
} from "@longhaul/conversation";
import { isUnguessable, sha256 } from "@longhaul/fit";
import { findCodec } from "@longhaul/wire";

/**
 * The reasoning behind tool calls, for clients that cannot hold it or do not want to see it. It belongs to its owner, to a call by its id,
 * name and arguments, and to the conversation that led to that call. An id that cannot be guessed names the conversation; for any other the
 * client's own session does, and without one the content: the call is found only behind the very same messages.
 */
export interface KeptThoughts {
  /** Keeps what stands before each call of a reply. */
  keep(thinking: Thinking, reply: readonly Block[]): void;
  /** The request with the reasoning put back before the calls that it led to; the identical one where none is kept. */
  putBack(thinking: Thinking, request: Request): Request;
}

/** The conversation that reasoning belongs to. */
export interface Thinking {
  readonly owner: string;
  /** The client's own name for the conversation; absent if it names none. */
  readonly conversation: string | undefined;
  /** The conversation as the client sent it. */
  readonly sent: Conversation;
}

/** How much is kept. */
export interface KeepThoughtsOptions {
  readonly maxBytes?: number;
}

/** What led to one call. */
interface Thoughts {
  readonly blocks: readonly ThoughtBlock[];
  /** The proof that stands on the call itself. */
  readonly signature?: string;
  /** How much it counts. */
  readonly bytes: number;
}

type ThoughtBlock = ThinkingBlock | RedactedThinkingBlock;

const DEFAULT_MAX_BYTES = 32 * 1024 * 1024;

/** Makes an empty memory. What was unused for longest goes first. */
export function makeKeptThoughts({ maxBytes = DEFAULT_MAX_BYTES }: KeepThoughtsOptions = {}): KeptThoughts {
  /** A map keeps the order in which its keys were put in: the first is the one unused for longest. */
  const kept = new Map<string, Thoughts>();
  let bytes = 0;

  function forget(key: string): void {
    bytes -= kept.get(key)?.bytes ?? 0;
    kept.delete(key);
  }

  function put(key: string, thoughts: Thoughts): void {
    forget(key);
    kept.set(key, thoughts);
    bytes += thoughts.bytes;
    for (const oldest of kept.keys()) {
      if (bytes <= maxBytes) return;
      forget(oldest);
    }
  }

  function use(key: string): Thoughts | undefined {
    const thoughts = kept.get(key);
    if (thoughts !== undefined) put(key, thoughts);
    return thoughts;
  }

  return {
    keep: (thinking, reply) => {
      const found = thoughtsIn(reply);
      // Computing the keys is the expensive part.
      if (found.length === 0) return;
      const { messages } = thinking.sent;
      const before = messages.findLastIndex(({ role }) => role !== "assistant") + 1;
      const keyOf = keysFor(thinking);
      for (const [call, thoughts] of found) put(keyOf(call, before), thoughts);
    },
    putBack: (thinking, request) => {
      if (kept.size === 0) return request;
      const { conversation } = request;
      const keys = keysOfCalls(thinking, conversation.messages);
      const changes = thoughtsFor(conversation.messages, (call) => use(keys.get(call) ?? ""));
      if (changes.size === 0) return request;
      const messages = conversation.messages.flatMap((message) => changed(message, changes));
      return { ...request, conversation: { ...conversation, messages } };
    },
  };
}

/** Names the calls behind so many messages of a conversation. */
function keysFor({ owner, conversation, sent }: Thinking): (call: ToolCallBlock, before: number) => string {
  let prefixes: readonly string[] | undefined;
  const contentOf = (messages: number) => {
    prefixes ??= contentPrefixes(sent);
    return prefixes[messages - 1] ?? "";
  };
  return ({ id, name, input }, before) => {
    const binding = isUnguessable(id) ? [] : conversation === undefined ? [contentOf(before), ""] : [conversation];
    return sha256(stableStringify([owner, id, name, input, binding]));
  };
}

/** Hashes of all that each beginning of a conversation says, thoughts aside: the client may not have them. */
function contentPrefixes(conversation: Conversation): readonly string[] {
  const prints = conversation.messages.map((message) =>
    stableStringify([looseFingerprint(message, sha256), [...clearablePrints(message, sha256).results]]),
  );
  return prefixHashes(prints, sha256, headFingerprint(conversation, sha256));
}

/**
 * Names the calls of a request by those that the client sent. A request that was made to fit lacks early ones, and what they were called with
 * may be shortened; of several with one id the last belong together.
 */
function keysOfCalls(thinking: Thinking, messages: readonly Message[]): ReadonlyMap<Block, string> {
  const keyOf = keysFor(thinking);
  const sent = new Map<string, string[]>();
  let before = 0;
  for (const [index, { role, blocks }] of thinking.sent.messages.entries()) {
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
    const blocks = before.filter(isTakenBack);
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

/** Vendors that take reasoning back only with a proof. */
const PROVING = new Set(["anthropic", "google", "openai"]);

/** Whether anybody takes it back. Servers of a format without proofs want all of it, and as it was. */
function isTakenBack(thought: ThoughtBlock): boolean {
  if (thought.type === "redacted-thinking" || thought.signature !== undefined) return true;
  if (findCodec(thought.native?.wire)?.reasoning.isSigned === false) return true;
  return thought.vendor !== undefined && !PROVING.has(thought.vendor);
}

/** What stands in a block's place. */
type Changes = Map<Block, readonly Block[]>;

/**
 * Where reasoning goes: to the beginning of what the assistant says; what was thought between its calls, right before the next one. It goes
 * before what the client sends of it, which may lack what the client's format has no place for.
 */
function thoughtsFor(messages: readonly Message[], find: (call: Block) => Thoughts | undefined): Changes {
  const changes: Changes = new Map();
  let round: Block[] = [];
  let isFirst = true;
  for (const message of messages) {
    if (message.role !== "assistant") [round, isFirst] = [[], true];
    for (const block of saidIn(message)) {
      round.push(block);
      if (block.type !== "tool-call") continue;
      const thoughts = find(block);
      if (thoughts !== undefined) changeRound(round, thoughts, { isFirst, changes });
      [round, isFirst] = [[], false];
    }
  }
  return changes;
}

/** Returns the assistant's own blocks. A vendor's summary is not among them: it opens the conversation, and nothing may go before it. */
function saidIn({ role, blocks }: Message): readonly Block[] {
  return role === "assistant" ? blocks.filter(({ type }) => type !== "compaction") : [];
}

/** Changes what the assistant said up to a call, and since the one before it. */
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

/** A message of which nothing is left is none. */
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
