import { type Block, type Message, type ToolPairs, toolPairs } from "@longhaul/conversation";
import type { Content } from "../content/content.ts";
import type { View } from "../contract/view.ts";
import { type Draft, type KeptSlot, rawStart, type Slot } from "../edits/draft.ts";
import { ambiguousMarks, brokenReferences } from "../references/check.ts";

/** Returns one sentence per violated invariant of a rewritten conversation. Checked after every pass, so that no pass can break a rule. */
export function violations(
  before: { draft: Draft; view: View },
  after: Draft,
  { mayGrow = false }: { readonly mayGrow?: boolean } = {},
): string[] {
  const rules = mayGrow ? RULES : [...RULES, getsSmaller];
  return rules.flatMap((rule) => rule(before, after));
}

type Rule = (before: { draft: Draft; view: View }, after: Draft) => string[];

const RULES: readonly Rule[] = [
  keepsPairs,
  keepsLatestUserMessage,
  keepsFirstUserMessage,
  keepsOrder,
  leavesNothingEmpty,
  keepsInputsObjects,
  keepsStart,
  keepsReferences,
  keepsMarksClear,
];

function keepsPairs({ draft }: { draft: Draft }, after: Draft): string[] {
  const was = toolPairs(draft.conversation.messages);
  const is = toolPairs(after.conversation.messages);
  return [
    ...newIds(openCalls(was), openCalls(is)).map((id) => `call ${id} lost its result`),
    ...newIds(orphanIds(was, draft), orphanIds(is, after)).map((id) => `the result of call ${id} lost its call`),
  ];
}

function openCalls({ pairs }: ToolPairs): string[] {
  return pairs.filter((pair) => pair.result === undefined).map((pair) => pair.callId);
}

function orphanIds({ orphans }: ToolPairs, { conversation }: Draft): string[] {
  return orphans.map(({ message, block }) => {
    const orphan = conversation.messages[message]?.blocks[block];
    if (orphan?.type === "tool-result") return orphan.callId;
    return (orphan?.type === "opaque" && orphan.pair?.id) || "";
  });
}

function newIds(was: readonly string[], is: readonly string[]): string[] {
  const known = new Set(was);
  return is.filter((id) => !known.has(id));
}

function keepsLatestUserMessage({ draft, view }: { draft: Draft; view: View }, after: Draft): string[] {
  const slot = draft.slots[view.latestUserMessage];
  if (slot?.kind !== "kept") return [];
  const kept = after.slots.find((entry): entry is KeptSlot => entry.kind === "kept" && entry.index === slot.index);
  if (kept === undefined) return ["the latest user message was removed"];
  const touched = kept.changes.filter((change) => !slot.changes.includes(change)).map((change) => change.block);
  const isTouched = touched.some((block) => !keepsUserText(block, { was: slot, is: kept, view }));
  return isTouched ? ["the latest user message was changed"] : [];
}

function keepsFirstUserMessage({ draft, view }: { draft: Draft; view: View }, after: Draft): string[] {
  const slot = draft.slots[view.firstUserMessage];
  const isGone =
    slot?.kind === "kept" && !after.slots.some((entry) => entry.kind === "kept" && entry.index === slot.index);
  return isGone ? ["the first user message was removed"] : [];
}

/** A user's block must not be changed; a block that also contains a tool result must keep the user's spans. */
function keepsUserText(block: number, { was, is, view }: { was: KeptSlot; is: KeptSlot; view: View }): boolean {
  const at = was.sources.indexOf(block);
  if (was.message.blocks[at]?.type === "tool-result") return true;
  const here = view.contents().contents.filter((content) => isAt(content, view.latestUserMessage, at));
  if (here.every((content) => content.level === "text")) return false;
  const now = is.message.blocks[is.sources.indexOf(block)];
  const own = here.filter((content) => content.level === "text").map((content) => content.text);
  return own.length === 0 || (now?.type === "text" && containsInOrder(now.text, own));
}

function isAt({ at }: Content, message: number, block: number): boolean {
  return at.message === message && at.block === block;
}

function containsInOrder(text: string, spans: readonly string[]): boolean {
  let from = 0;
  return spans.every((span) => {
    const found = text.indexOf(span, from);
    from = found + span.length;
    return found !== -1;
  });
}

function keepsOrder(_: unknown, after: Draft): string[] {
  const starts = after.slots.map(rawStart);
  const isSorted = starts.every((start, index) => index === 0 || (starts[index - 1] ?? 0) <= start);
  return isSorted ? [] : ["messages were reordered"];
}

function leavesNothingEmpty(_: unknown, after: Draft): string[] {
  return after.slots.filter((slot) => hasEmptyPart(slot)).map((slot) => `${nameOf(slot)} became empty`);
}

function hasEmptyPart(slot: Slot): boolean {
  if (slot.kind === "kept" && slot.changes.length === 0) return false;
  return slot.message.blocks.length === 0 || slot.message.blocks.some((block, index) => isEmptied(slot, block, index));
}

function isEmptied(slot: Slot, block: Block, index: number): boolean {
  const isTouched = slot.kind === "made" || slot.changes.some((change) => change.block === slot.sources[index]);
  if (!isTouched) return false;
  const texts = block.type === "tool-result" ? block.content : [block];
  return texts.some((entry) => entry.type === "text" && entry.text.trim() === "");
}

function keepsInputsObjects({ draft }: { draft: Draft }, after: Draft): string[] {
  return after.slots.flatMap((slot) => (slot.kind === "kept" ? changedCalls(slot, draft) : []));
}

function changedCalls(slot: KeptSlot, { raw }: Draft): string[] {
  return slot.message.blocks.flatMap((block, index) => {
    const was = raw.messages[slot.index]?.blocks[slot.sources[index] ?? -1];
    if (block === was || block.type !== "tool-call" || was?.type !== "tool-call") return [];
    const isSound = block.id === was.id && block.name === was.name && typeof block.input === typeof was.input;
    return isSound ? [] : [`call ${was.id} changed its id, its name or the type of its input`];
  });
}

function keepsStart({ draft }: { draft: Draft }, after: Draft): string[] {
  const isTurned = startsWell(draft.conversation.messages) && !startsWell(after.conversation.messages);
  return isTurned ? ["the conversation no longer starts with the user"] : [];
}

/** Vendors accept a history that starts with a user message, or with their own compaction. */
function startsWell(messages: readonly Message[]): boolean {
  const first = messages.find((message) => message.role !== "system");
  return first?.role === "user" || first?.blocks[0]?.type === "compaction";
}

function keepsReferences({ draft }: { draft: Draft }, after: Draft): string[] {
  return brokenReferences(after, draft);
}

function keepsMarksClear({ draft }: { draft: Draft }, after: Draft): string[] {
  const was = new Set(ambiguousMarks(draft));
  return ambiguousMarks(after)
    .filter((mark) => !was.has(mark))
    .map((mark) => `the mark ${mark} replaces different texts`);
}

function getsSmaller({ view }: { view: View }, after: Draft): string[] {
  const tokens = view.counter.countConversation(after.conversation);
  return tokens < view.tokens ? [] : [`the result is not smaller (${view.tokens} → ${tokens} tokens)`];
}

function nameOf(slot: Slot): string {
  return slot.kind === "kept" ? `message ${slot.index}` : `the replacement of messages ${slot.from} to ${slot.to}`;
}
