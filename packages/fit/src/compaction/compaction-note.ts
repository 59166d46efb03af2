import type { Block, CompactionBlock, StopReason } from "@longhaul/conversation";

/** What is told of a compaction that was taken out of an answer. */
export type CompactionNote =
  /** It stands for all messages of the request that brought it. */
  | { readonly kind: "compacted"; readonly block: CompactionBlock }
  /** The vendor tried and gave nothing: the block stands for nothing. */
  | { readonly kind: "failed" }
  /** The model compacted and then said nothing: its summary lacked what to answer. */
  | { readonly kind: "empty-answer" };

/** Is told of each compaction once its block is complete, then of an answer that stayed empty after one. */
export type OnCompaction = (note: CompactionNote) => void;

/** What is told of one block. */
export function noteOf(block: CompactionBlock): CompactionNote {
  const isWhole = Boolean(block.text) || block.encrypted !== undefined;
  return isWhole ? { kind: "compacted", block } : { kind: "failed" };
}

/** Whether a block says something to the client: words, a call, or a block of a kind that nobody here knows. */
export function saysSomething(block: Block): boolean {
  if (block.type === "text") return block.text.trim() !== "";
  return block.type !== "thinking" && block.type !== "redacted-thinking" && block.type !== "compaction";
}

/** Whether a model that has said nothing meant to: one that was cut off or refused did not come to it. */
export function meantToAnswer(stopReason: StopReason): boolean {
  return stopReason === "end";
}
