import type { Block, Reply, StreamEvent } from "@longhaul/conversation/advanced";
import { replyCollector } from "@longhaul/wire";

/** Keeps and hides the reasoning of an answer. */
export interface ReplyThoughts {
  whole(reply: Reply): Reply;
  /** Starts a run over the events of a stream. */
  stream(): (event: StreamEvent) => readonly StreamEvent[];
}

export interface ThoughtsOptions {
  /** Whether the client gets no reasoning text. */
  readonly isExcluded: boolean;
  /** Whether the client's format can carry signatures. */
  readonly holdsSignatures: boolean;
  /** Called with the original blocks of a reply; for a stream without text blocks' text. */
  readonly keep?: (blocks: readonly Block[]) => void;
}

export function replyThoughts({ isExcluded, holdsSignatures, keep }: ThoughtsOptions): ReplyThoughts {
  const hide = isExcluded ? (block: Block) => hidden(block, holdsSignatures) : undefined;
  return {
    whole: (reply) => {
      keep?.(reply.blocks);
      return hide === undefined ? reply : withBlocks(reply, reply.blocks.flatMap(hide));
    },
    stream: () => {
      const watch = keep === undefined ? () => {} : watching(keep);
      const strip = isExcluded ? hiding(holdsSignatures) : (event: StreamEvent) => [event];
      return (event) => {
        watch(event);
        return strip(event);
      };
    },
  };
}

/** Returns a block without its reasoning text: the signature alone if the client can send it back, otherwise nothing. */
function hidden(block: Block, holdsSignatures: boolean): readonly Block[] {
  if (block.type === "redacted-thinking") return holdsSignatures ? [block] : [];
  if (block.type !== "thinking") return [block];
  if (!holdsSignatures || block.signature === undefined) return [];
  const { native: _, ...rest } = block;
  return [{ ...rest, text: "" }];
}

function withBlocks(reply: Reply, blocks: readonly Block[]): Reply {
  const isSame = blocks.length === reply.blocks.length && blocks.every((block, index) => block === reply.blocks[index]);
  if (isSame) return reply;
  const { native: _, ...rest } = reply;
  return { ...rest, blocks };
}

/** Events without reasoning. Arguments of tool calls are collected: they distinguish calls with the same id. */
const IRRELEVANT = new Set<StreamEvent["type"]>(["text-delta", "ping", "native", "error"]);

function watching(keep: (blocks: readonly Block[]) => void): (event: StreamEvent) => void {
  let collecting = replyCollector.start();
  return (event) => {
    if (IRRELEVANT.has(event.type)) return;
    collecting = replyCollector.step(collecting, event);
    if (event.type === "reply-end") keep(replyCollector.end(collecting).blocks);
  };
}

/** Removes reasoning from a stream and renumbers the blocks after it. */
function hiding(holdsSignatures: boolean): (event: StreamEvent) => readonly StreamEvent[] {
  const removed = new Set<number>();
  const numbers = new Map<number, number>();
  const numberOf = (index: number) => {
    const number = numbers.get(index) ?? index - [...removed].filter((gone) => gone < index).length;
    numbers.set(index, number);
    return number;
  };
  return (event) => {
    if (event.type === "thinking-delta") return [];
    if (!("index" in event) || event.index === undefined) return [event];
    const { index } = event;
    if (isThought(event) && !holdsSignatures) removed.add(index);
    if (removed.has(index)) return [];
    const number = numberOf(index);
    return [number === index ? event : { ...event, index: number }];
  };
}

function isThought(event: StreamEvent): boolean {
  return event.type === "thinking-start" || (event.type === "block" && event.block.type === "redacted-thinking");
}
