import { ensure, Rejection } from "../core/api.ts";
import { isGiven, type JsonObject, listIn, numberIn, objectIn, textIn } from "../core/json.ts";
import { digest } from "../core/text.ts";
import type { World } from "../core/world.ts";
import type { Anchor } from "./binding.ts";
import {
  editsIn,
  hasBeta,
  isThinking,
  type LocatedBlock,
  locatedBlocks,
  type Message,
  type MessagesRequest,
  mapBlocks,
  pathOf,
} from "./request.ts";

const DEFAULT_TRIGGER_TOKENS = 150_000;

/** Rejects compaction blocks that were not made here, were changed or are misplaced, and requests that cannot be compacted. */
export function checkCompaction(request: MessagesRequest, world: World): void {
  const blocks = locatedBlocks(request.messages).filter(({ block }) => block.type === "compaction");
  const whole = blocks.filter(({ block }) => isGiven(block.content));
  const signed = whole.filter(({ block }) => isGiven(block.signature));
  for (const located of whole) checkSeal(request, located, world);
  rejectIf(
    signed.length > 0 && whole.length > 1,
    "compaction_block_ambiguous",
    "messages: more than one `compaction` block with content. Send only the block the conversation returned last.",
  );
  const stray = [
    ...signed.filter((located) => pathOf(located) !== "messages.0.content.0"),
    ...blocks.filter(({ role }) => role === "system"),
  ][0];
  const position = stray === undefined ? "" : pathOf(stray);
  rejectIf(
    stray !== undefined,
    "compaction_block_misplaced",
    `${position}: the \`compaction\` block must be the first block of the conversation and not in a \`system\` message.`,
  );
  if (isGiven(request.body.compaction)) checkSummarize(request);
}

function rejectIf(isWrong: boolean, code: string, message: string): void {
  if (isWrong) throw new Rejection(400, message, { code });
}

function checkSeal(request: MessagesRequest, located: LocatedBlock, world: World): void {
  const { signature, encrypted_content, content, tool_changes } = located.block;
  const path = pathOf(located);
  ensure(content !== "", `${path}.compaction.content: String should have at least 1 character`);
  const isSigned = isGiven(signature);
  ensure(
    !isSigned || hasBeta(request, "compaction-on-demand"),
    `${path}.compaction.signature: Extra inputs are not permitted`,
  );
  const sealed = textIn(signature) || textIn(encrypted_content);
  // A block made by the threshold may be sent back with only its text.
  if (sealed === "") return;
  const payload = world.seals.open("compaction", sealed);
  rejectIf(
    payload === undefined,
    "compaction_signature_invalid",
    `${path}: the \`compaction\` block's \`signature\` does not verify.`,
  );
  rejectIf(
    payload?.text !== digest(textIn(content)),
    "compaction_content_mismatch",
    `${path}: the \`compaction\` block's \`content\` differs from the text its \`signature\` recorded.`,
  );
  rejectIf(
    isSigned && listIn(tool_changes).length > 0,
    "compaction_tool_changes_mismatch",
    `${path}: the \`compaction\` block's \`tool_changes\` differs from what was returned with the block.`,
  );
}

function checkSummarize({ body, model, messages }: MessagesRequest): void {
  const { type } = objectIn(body.compaction);
  ensure(type === "summarize", `compaction.type: Input should be 'summarize'`);
  ensure(model.compaction.onDemand, "compaction: on-demand compaction is not supported for this model");
  const last = messages.findLast(({ role }) => role !== "system");
  rejectIf(
    last === undefined || last.blocks.every((block) => isThinking(block)),
    "compaction_nothing_to_summarize",
    "messages: no `user` or `assistant` content to summarize.",
  );
  rejectIf(
    last?.role === "assistant" && last.blocks.some((block) => block.type === "tool_use"),
    "compaction_incomplete_turn",
    "messages: the compaction request ends on an `assistant` turn that is not finished.",
  );
}

/** Returns what the model sees: the last compaction block and everything after it. */
export function sinceCompaction(messages: readonly Message[]): readonly Message[] {
  const last = locatedBlocks(messages).findLast(({ block }) => block.type === "compaction" && isGiven(block.content));
  if (last === undefined) return messages;
  const isAfter = ({ message, index }: LocatedBlock) =>
    message > last.message || (message === last.message && index >= last.index);
  return mapBlocks(messages, (located) => (isAfter(located) ? located.block : undefined)).filter(
    ({ blocks }) => blocks.length > 0,
  );
}

/** The input size from which the request wants its history compacted; `undefined` if it does not. */
export function compactionTrigger(body: JsonObject) {
  const edit = editsIn(body).find(({ type }) => type === "compact_20260112");
  if (edit === undefined) return undefined;
  const tokens = numberIn(objectIn(edit.trigger).value) ?? DEFAULT_TRIGGER_TOKENS;
  return { tokens, pauses: edit.pause_after_compaction === true, instructions: textIn(edit.instructions) };
}

/** Makes a compaction block for everything up to an anchor. A failed summary makes a block that changes nothing. */
export function makeCompaction(
  { seals }: World,
  { summary, anchor, isSigned }: { summary: string; anchor: Anchor; isSigned: boolean },
): JsonObject {
  if (summary === "") return { type: "compaction", content: null, encrypted_content: null };
  const sealed = seals.seal("compaction", {
    content: anchor.content,
    thinking: anchor.thinking,
    text: digest(summary),
  });
  if (!isSigned) return { type: "compaction", content: summary, encrypted_content: sealed };
  return { type: "compaction", content: summary, encrypted_content: null, signature: sealed, tool_changes: [] };
}
