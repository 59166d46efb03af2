import {
  type Block,
  type CompactionBlock,
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type Native,
  type Reply,
} from "@longhaul/conversation";
import { meantToAnswer, noteOf, type OnCompaction, saysSomething } from "./compaction-note.ts";

/**
 * A reply for a client that cannot hold compaction blocks: they are gone from its blocks and from its native form, and `onCompaction` is
 * told of each. Its usage stays the vendor's own. A reply without any is the identical object.
 */
export function stripReply(reply: Reply, onCompaction: OnCompaction): Reply {
  const found = reply.blocks.filter(isCompaction);
  if (found.length === 0) return reply;
  for (const block of found) onCompaction(noteOf(block));
  const blocks = reply.blocks.filter((block) => !isCompaction(block));
  if (!blocks.some(saysSomething) && meantToAnswer(reply.stopReason)) onCompaction({ kind: "empty-answer" });
  const { native, ...rest } = reply;
  return { ...rest, blocks, ...(native === undefined ? {} : { native: stripNative(native) }) };
}

/** Tells compaction blocks from the others. */
export function isCompaction(block: Block): block is CompactionBlock {
  return block.type === "compaction";
}

/** Where the formats that have such blocks list them. */
const LISTS = ["content", "output"];

function stripNative({ wire, value }: Native): Native {
  if (!isJsonObject(value)) return { wire, value };
  const stripped = Object.entries(value).map(([name, field]) => [
    name,
    LISTS.includes(name) ? stripList(field) : field,
  ]);
  const fields: JsonObject = Object.fromEntries(stripped);
  return { wire, value: fields };
}

function stripList(list: JsonValue): JsonValue {
  if (!isJsonArray(list)) return list;
  return list.filter((entry) => !isJsonObject(entry) || entry.type !== "compaction");
}
