import type { Block, Message, RedactedThinkingBlock, Request, ThinkingBlock } from "@longhaul/conversation";

/** The reasoning behind tool calls, for clients that cannot hold it or do not want to see it. Each has an owner, and nobody else gets it. */
export interface KeptThoughts {
  /** Keeps what stands before each call of a reply. */
  keep(owner: string, reply: readonly Block[]): void;
  /** The request with the reasoning put back before the calls of messages that came without; the identical one where none is kept. */
  putBack(owner: string, request: Request): Request;
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
    keep: (owner, reply) => {
      for (const [callId, thoughts] of thoughtsIn(reply)) put(`${owner}/${callId}`, thoughts);
    },
    putBack: (owner, request) => {
      if (kept.size === 0) return request;
      const { conversation } = request;
      const messages = conversation.messages.map((message) => withThoughts(message, (id) => use(`${owner}/${id}`)));
      const isSame = messages.every((message, index) => message === conversation.messages[index]);
      return isSame ? request : { ...request, conversation: { ...conversation, messages } };
    },
  };
}

/** What led to each call of a reply, by the call's id: only what has a proof, because nobody takes back what has none. */
function thoughtsIn(reply: readonly Block[]): Map<string, Thoughts> {
  const found = new Map<string, Thoughts>();
  let before: ThoughtBlock[] = [];
  for (const block of reply) {
    if (isThought(block)) before.push(block);
    if (block.type !== "tool-call") continue;
    const blocks = before.filter((thought) => thought.type === "redacted-thinking" || thought.signature !== undefined);
    const { signature } = block;
    before = [];
    if (blocks.length === 0 && signature === undefined) continue;
    const bytes = JSON.stringify(blocks).length + (signature?.length ?? 0) + block.id.length;
    found.set(block.id, { blocks, ...(signature !== undefined && { signature }), bytes });
  }
  return found;
}

function isThought(block: Block): block is ThoughtBlock {
  return block.type === "thinking" || block.type === "redacted-thinking";
}

/** Reasoning stands at the beginning of a message; what was thought between its calls, right before the next one. */
function withThoughts(message: Message, find: (callId: string) => Thoughts | undefined): Message {
  if (message.role !== "assistant" || message.blocks.some(isThought)) return message;
  const opening: ThoughtBlock[] = [];
  let calls = 0;
  const blocks = message.blocks.flatMap((block): readonly Block[] => {
    if (block.type !== "tool-call") return [block];
    calls += 1;
    const thoughts = find(block.id);
    if (thoughts === undefined) return [block];
    if (calls === 1) opening.push(...thoughts.blocks);
    const signed = signedCall(block, thoughts.signature);
    return calls === 1 ? [signed] : [...thoughts.blocks, signed];
  });
  const isSame = opening.length === 0 && blocks.every((block, index) => block === message.blocks[index]);
  if (isSame) return message;
  const { native: _, ...rest } = message;
  return { ...rest, blocks: [...opening, ...blocks] };
}

function signedCall(call: Extract<Block, { type: "tool-call" }>, signature: string | undefined): Block {
  if (signature === undefined || call.signature !== undefined) return call;
  const { native: _, ...rest } = call;
  return { ...rest, signature };
}
