import { PROJECTION_VERSION, type Projection } from "@longhaul/condense/advanced";
import { type CompactionBlock, isJsonObject, type LonghaulError } from "@longhaul/conversation";
import { isCompaction } from "./strip-compaction.ts";

/**
 * Returns the projection that replaces the first messages with a compaction block. On later turns the conversation is the block, the reply
 * to the request that brought it, and the messages since. `messages` is the number of messages in the client's request.
 */
export function projectionOfBlock(block: CompactionBlock, messages: number): Projection {
  const message = { role: "assistant", blocks: [block] } as const;
  return { version: PROJECTION_VERSION, messages, entries: [{ kind: "made", from: 0, to: messages, message }] };
}

/** Returns the vendors' own summaries in a projection. */
export function blocksIn(projection: Projection): readonly CompactionBlock[] {
  const blocks = found.get(projection) ?? findBlocks(projection);
  found.set(projection, blocks);
  return blocks;
}

const found = new WeakMap<Projection, readonly CompactionBlock[]>();

function findBlocks({ entries }: Projection): readonly CompactionBlock[] {
  return entries.flatMap((entry) => (entry.kind === "made" ? entry.message.blocks.filter(isCompaction) : []));
}

/** Returns whether a projection contains a vendor's own summary. */
export function holdsBlock(projection: Projection): boolean {
  return blocksIn(projection).length > 0;
}

/**
 * Error codes for a block that is sent back: Anthropic's from the errors of its SDK 1.8, then OpenAI's. Codes for conversations that cannot
 * be compacted, or not now, are not included.
 */
const CODES: ReadonlySet<unknown> = new Set([
  "compaction_block_ambiguous",
  "compaction_block_misplaced",
  "compaction_content_mismatch",
  "compaction_signature_invalid",
  "compaction_tool_changes_mismatch",
  "invalid_encrypted_content",
]);

/** The messages of servers that send no code: they name a field of the block, its type, or the block itself. */
const WORDS =
  /\.compaction\.(?:content|encrypted_content|signature|tool_changes)\b|Input tag 'compaction'|`compaction` block|encrypted content .{1,40} could not be verified/i;

/**
 * Returns whether an upstream refused a compaction block that it or another upstream made earlier. Without the block the conversation may
 * continue.
 */
export function isRefusedBlock({ status, message, cause }: LonghaulError): boolean {
  return status === 400 && (CODES.has(codeIn(cause)) || WORDS.test(message));
}

/** Anthropic puts the code in the error's details, OpenAI in the error. */
function codeIn(body: unknown): unknown {
  const error = isJsonObject(body) ? body.error : undefined;
  if (!isJsonObject(error)) return undefined;
  return isJsonObject(error.details) ? error.details.error_code : error.code;
}
