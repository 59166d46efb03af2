import { PROJECTION_VERSION, type Projection } from "@longhaul/condense";
import type { CompactionBlock } from "@longhaul/conversation";

/**
 * A compaction block in place of the raw messages that it stands for: on later turns the conversation is the block, then the reply to the
 * request that brought it, then what was said since. `messages` is how many messages that request had when it came from the client.
 */
export function projectionOfBlock(block: CompactionBlock, messages: number): Projection {
  const message = { role: "assistant", blocks: [block] } as const;
  return { version: PROJECTION_VERSION, messages, entries: [{ kind: "made", from: 0, to: messages, message }] };
}
