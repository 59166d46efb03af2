import { PROJECTION_VERSION, type Projection } from "@longhaul/condense";
import { type CompactionBlock, isJsonObject, type LonghaulError } from "@longhaul/conversation";
import { isCompaction } from "./strip-compaction.ts";

/**
 * A compaction block in place of the raw messages that it stands for: on later turns the conversation is the block, then the reply to the
 * request that brought it, then what was said since. `messages` is how many messages that request had when it came from the client.
 */
export function projectionOfBlock(block: CompactionBlock, messages: number): Projection {
  const message = { role: "assistant", blocks: [block] } as const;
  return { version: PROJECTION_VERSION, messages, entries: [{ kind: "made", from: 0, to: messages, message }] };
}

/** The vendors' own summaries that a projection puts into a conversation. */
export function blocksIn(projection: Projection): readonly CompactionBlock[] {
  const blocks = found.get(projection) ?? findBlocks(projection);
  found.set(projection, blocks);
  return blocks;
}

const found = new WeakMap<Projection, readonly CompactionBlock[]>();

function findBlocks({ entries }: Projection): readonly CompactionBlock[] {
  return entries.flatMap((entry) => (entry.kind === "made" ? entry.message.blocks.filter(isCompaction) : []));
}

/** Whether a projection stands on a vendor's own summary. */
export function holdsBlock(projection: Projection): boolean {
  return blocksIn(projection).length > 0;
}

/**
 * Codes with which the vendors refuse a block that is sent back: Anthropic's from the errors of its SDK 1.8, then OpenAI's. Those that say
 * that a conversation cannot be compacted, or not now, are not among them.
 */
const CODES: ReadonlySet<unknown> = new Set([
  "compaction_block_ambiguous",
  "compaction_block_misplaced",
  "compaction_content_mismatch",
  "compaction_signature_invalid",
  "compaction_tool_changes_mismatch",
  "invalid_encrypted_content",
]);

/** The same in words, from servers that give no code: a field of the block, its type, or the block itself. */
const WORDS =
  /\.compaction\.(?:content|encrypted_content|signature|tool_changes)\b|Input tag 'compaction'|`compaction` block|encrypted content .{1,40} could not be verified/i;

/** Whether an upstream refused a compaction block that it, or another one, made earlier: without it, the conversation may go on. */
export function isRefusedBlock({ status, message, cause }: LonghaulError): boolean {
  return status === 400 && (CODES.has(codeIn(cause)) || WORDS.test(message));
}

/** Where the dialects have it: Anthropic in the error's details, OpenAI in the error. */
function codeIn(body: unknown): unknown {
  const error = isJsonObject(body) ? body.error : undefined;
  if (!isJsonObject(error)) return undefined;
  return isJsonObject(error.details) ? error.details.error_code : error.code;
}
