import type { Block, Conversation, Message } from "@longhaul/conversation";
import type { TokenCounter } from "@longhaul/models";
import type { Contents, ToolUse } from "../content/content.ts";
import { decompose } from "../content/contents.ts";
import { withoutTerminalCodes } from "../content/plain-output.ts";
import { type Limits, limitOf } from "../contract/view.ts";
import { type Change, NO_SOURCE, type NoteChange } from "../edits/change.ts";
import { type Draft, type KeptSlot, keptSlot, makeDraft, rawEnd, rawStart, type Slot } from "../edits/draft.ts";
import { sum } from "../edits/lists.ts";
import { textAt } from "../edits/text-position.ts";
import { countOf, describeUses } from "../passes/marks.ts";
import { indexesOf } from "../summaries/ranges.ts";

/** How much notes may take: the conversation with its notes stays within the budget, or else within the size that the upstream accepts. */
interface NoteContext {
  readonly counter: TokenCounter;
  readonly limits: Limits;
  /** Returns a text that follows the note, given the conversation with its notes. It must leave the conversation within its limits. */
  readonly more?: (noted: Conversation) => string;
}

/** Largest share of a long conversation and of a small target for notes, the tokens in between, and those that they may take in any case. */
const NOTE_SHARES = { long: 0.009, short: 0.012 } as const;
const LONG_NOTE_TOKENS = 120;
const SHORT_NOTE_TOKENS = 50;

/** How much the note and the marks say, tried in order until they are short enough. */
const DETAILS: readonly Detail[] = [
  { maxNames: 6, minMessages: 1, isLong: true },
  { maxNames: 3, minMessages: 1, isLong: true },
  { maxNames: 1, minMessages: 1, isLong: true },
  { maxNames: 0, minMessages: 1, isLong: true },
  { maxNames: 0, minMessages: 4, isLong: true },
  { maxNames: 0, minMessages: 8, isLong: true },
  { maxNames: 0, minMessages: 16, isLong: true },
  { maxNames: 0, minMessages: 16, isLong: false },
  { maxNames: 0, minMessages: Number.POSITIVE_INFINITY, isLong: false },
];

interface Detail {
  /** Names in each mark. */
  readonly maxNames: number;
  /** Gaps of fewer messages get no mark. */
  readonly minMessages: number;
  /** Whether the note also says where marks are and how to go on. */
  readonly isLong: boolean;
  /** A text that follows the note. */
  readonly following?: string;
}

/**
 * Says what a draft leaves out: one note at the first omission, and a mark at each gap between messages. Both are derived from the draft
 * and the raw conversation, so they count everything that was ever left out. They are written into existing user messages, never the latest
 * one, and into tool results where possible. Without room for the note, the draft is returned as it is.
 */
export function withNotes(draft: Draft, { counter, limits, more }: NoteContext): Draft {
  const omissions = omissionsIn(draft);
  if (omissions.first === undefined) return draft;
  const tokens = counter.countConversation(draft.conversation);
  const maxTokens = tokens <= limits.budgetTokens ? limits.budgetTokens : limitOf(limits);
  const room = Math.min(
    Math.max(SHORT_NOTE_TOKENS, Math.min(limits.targetTokens - tokens, largestNote(tokens, limits))),
    maxTokens - tokens,
    counter.countConversation(draft.raw) - tokens,
  );
  for (const detail of DETAILS) {
    const noted = writeNotes(draft, omissions, detail);
    if (counter.countConversation(noted.conversation) - tokens > room) continue;
    const following = more?.(noted.conversation) ?? "";
    return following === "" ? noted : writeNotes(draft, omissions, { ...detail, following });
  }
  return draft;
}

/** Returns the tokens that notes may take in a conversation of this size that is below its target. */
function largestNote(tokens: number, { targetTokens }: Limits): number {
  return Math.max(Math.min(LONG_NOTE_TOKENS, targetTokens * NOTE_SHARES.short), tokens * NOTE_SHARES.long);
}

/** Removes the notes of an earlier condensation. */
export function withoutNotes(draft: Draft): Draft {
  if (!draft.slots.some(hasNote)) return draft;
  return makeDraft(
    draft.raw,
    draft.slots.map((slot) => (hasNote(slot) ? withChanges(draft, slot, slot.changes.filter(isNoNote)) : slot)),
  );
}

function hasNote(slot: Slot): slot is KeptSlot {
  return slot.kind === "kept" && !slot.changes.every(isNoNote);
}

function isNoNote(change: Change): boolean {
  return change.kind !== "note";
}

function withChanges({ raw }: Draft, slot: KeptSlot, changes: readonly Change[]): KeptSlot {
  return keptSlot(raw.messages[slot.index] ?? slot.message, slot.index, changes);
}

/** Raw messages `from` up to `to` that are not sent, before the slot at `position`. */
interface Gap {
  readonly from: number;
  readonly to: number;
  readonly position: number;
  readonly messages: number;
}

interface Omissions {
  readonly gaps: readonly Gap[];
  /** Lines left out of messages that are sent, and lines of messages that a summary replaces. */
  readonly lines: number;
  /** Position after the first omission, or undefined if nothing is left out. */
  readonly first: number | undefined;
}

function omissionsIn(draft: Draft): Omissions {
  const gaps = gapsIn(draft);
  const lines = draft.slots.map((slot) => (slot.kind === "kept" ? linesLeftOut(draft, slot) : 0));
  const [gap] = gaps;
  const cut = lines.findIndex((count) => count > 0);
  const isGapFirst = gap !== undefined && (cut === -1 || gap.position <= cut);
  // A note about a cut message belongs into that message or behind it, so that earlier messages keep their bytes.
  const first = isGapFirst ? gap.position : cut === -1 ? undefined : cut + 1;
  return { gaps, lines: sum(lines) + summarizedLines(draft), first };
}

/** Counts the lines of the messages that summaries replace. */
function summarizedLines({ raw, slots }: Draft): number {
  const sent = new Set(slots.map((slot) => (slot.kind === "kept" ? slot.index : -1)));
  const replaced = new Set(
    slots.flatMap((slot) => (slot.kind === "made" ? indexesOf({ from: slot.since ?? slot.from, to: slot.to }) : [])),
  );
  if (replaced.size === 0) return 0;
  const { lines } = rawContents(raw);
  return sum([...replaced].map((index) => (sent.has(index) ? 0 : (lines.get(index) ?? 0))));
}

function gapsIn({ raw, slots }: Draft): Gap[] {
  const gaps: Gap[] = [];
  let next = 0;
  const addGap = (to: number, position: number): void => {
    const messages = raw.messages.slice(next, to).filter(hasContent).length;
    if (messages > 0 && !isSummarized({ from: next, to }, slots)) gaps.push({ from: next, to, position, messages });
  };
  for (const [position, slot] of slots.entries()) {
    addGap(rawStart(slot), position);
    next = Math.max(next, rawEnd(slot));
  }
  addGap(raw.messages.length, slots.length);
  return gaps;
}

/** Whether a later summary is also about these raw messages. */
function isSummarized({ from, to }: Pick<Gap, "from" | "to">, slots: readonly Slot[]): boolean {
  return slots.some((slot) => slot.kind === "made" && (slot.since ?? slot.from) <= from && to <= slot.from);
}

/** Reasoning is removed for the model's sake and is not missed. */
function hasContent({ blocks }: Message): boolean {
  return blocks.some(({ type }) => type !== "thinking" && type !== "redacted-thinking");
}

/** Counts the lines of a message that are neither sent nor replaced by a reference. */
function linesLeftOut({ raw }: Draft, { index, changes }: KeptSlot): number {
  return sum(changes.map((change) => linesIn(raw.messages[index], change)));
}

function linesIn(message: Message | undefined, change: Change): number {
  const block = message?.blocks[change.block];
  if (block === undefined) return 0;
  const text = textAt(block, change.path) ?? "";
  if (change.kind === "gone") return text === "" ? 0 : countLines(text);
  if (change.kind !== "text") return 1;
  const sent = change.pieces.flatMap((piece) => ("made" in piece ? (piece.reference?.standsFor ?? []) : piece));
  let at = 0;
  let lines = 0;
  for (const { from, to } of [...sent, { from: text.length, to: text.length }]) {
    const missing = withoutTerminalCodes(text.slice(at, from));
    if (missing !== "") lines += countLines(missing);
    at = Math.max(at, to);
  }
  return lines;
}

function countLines(text: string): number {
  return text.replace(/^\n|\n$/g, "").split("\n").length;
}

function writeNotes(draft: Draft, omissions: Omissions, detail: Detail): Draft {
  const { maxNames, minMessages } = detail;
  const hosts = hostsIn(draft);
  const texts = new Map<number, string[]>();
  const add = (position: number | undefined, text: string): void => {
    if (position !== undefined) texts.set(position, [...(texts.get(position) ?? []), text]);
  };
  add(hostOfNote(omissions.first ?? 0, hosts, draft), noteText(omissions, detail));
  for (const gap of omissions.gaps.filter(({ messages }) => messages >= minMessages)) {
    const host = hostFor(gap.position, hosts);
    add(host, markText(gap, { draft, maxNames, isBefore: host !== undefined && host >= gap.position }));
  }
  const slots = draft.slots.map((slot, position) => withText(draft, slot, texts.get(position)));
  return makeDraft(draft.raw, slots);
}

function withText(draft: Draft, slot: Slot, texts: readonly string[] | undefined): Slot {
  if (slot.kind !== "kept" || texts === undefined) return slot;
  const { blocks } = slot.message;
  const at = blocks.findLastIndex(isSuccess);
  const inside = slot.sources[at === -1 ? blocks.findLastIndex(({ type }) => type === "tool-result") : at];
  const note: NoteChange = {
    kind: "note",
    block: NO_SOURCE,
    path: [],
    ...(inside === undefined ? {} : { inside }),
    text: texts.join("\n"),
  };
  return withChanges(draft, slot, [...slot.changes, note]);
}

/** Returns for each message whether it may contain a note: the user's role, but not the user's latest words. */
function hostsIn({ slots, conversation }: Draft): boolean[] {
  const { userAuthored } = decompose(conversation.messages);
  const latest = userAuthored.findLastIndex((isOwn, position) => isOwn && slots[position]?.kind === "kept");
  const isHost = ({ role, blocks }: Message) => role === "user" && blocks.some((block) => !isBlank(block));
  return slots.map((slot, position) => slot.kind === "kept" && position !== latest && isHost(slot.message));
}

function isBlank(block: Block): boolean {
  return block.type === "text" && block.text.trim() === "";
}

/** Whether a block is a successful result: a note inside an error would look like a part of it. */
function isSuccess(block: Block): boolean {
  return block.type === "tool-result" && !block.isError;
}

/** Whether all results in a message are errors. */
function isOnlyErrors(message: Message | undefined): boolean {
  const results = message?.blocks.filter(({ type }) => type === "tool-result") ?? [];
  return results.length > 0 && !results.some(isSuccess);
}

/** Returns the nearest host that is not only errors, unless it would be earlier than needed. */
function hostOfNote(position: number, hosts: readonly boolean[], { conversation }: Draft): number | undefined {
  const calm = hosts.map((isHost, index) => isHost && !isOnlyErrors(conversation.messages[index]));
  const found = hostFor(position, calm) ?? -1;
  return found < position - 1 ? hostFor(position, hosts) : found;
}

/** Returns the nearest host of an omission before the message at `position`: the one right before it, else the next one, else an earlier one. */
function hostFor(position: number, hosts: readonly boolean[]): number | undefined {
  if (hosts[position - 1] === true) return position - 1;
  const later = hosts.indexOf(true, position);
  const found = later === -1 ? hosts.lastIndexOf(true, position) : later;
  return found === -1 ? undefined : found;
}

/** The note is for the model: it names its author, the size of the omissions, and how to get content back. */
function noteText({ gaps, lines }: Omissions, { isLong, minMessages, following = "" }: Detail): string {
  const messages = sum(gaps.map((gap) => gap.messages));
  const parts = [
    ...(messages === 0 ? [] : [countOf(messages, "older message")]),
    ...(lines === 0 ? [] : [countOf(lines, "line")]),
  ];
  const verb = messages + lines === 1 ? "was" : "were";
  const hasUnmarked = gaps.some((gap) => gap.messages < minMessages);
  const except = hasUnmarked ? `; gaps under ${minMessages} messages have no mark` : "";
  const rest = isLong
    ? ` Dots (...) and square brackets mark the places${except}. Read files or run commands again if needed.`
    : "";
  return `${NOTE_START} ${parts.join(" and ")} ${verb} left out to fit the context window.${rest}${following === "" ? "" : `\n${following}`}]`;
}

/** Start of every note. */
export const NOTE_START = "[Note from Longhaul, not from the user or a tool:";

interface MarkContext {
  readonly draft: Draft;
  readonly maxNames: number;
  /** Whether the mark comes after the gap. */
  readonly isBefore: boolean;
}

function markText({ from, to, messages }: Gap, { draft, maxNames, isBefore }: MarkContext): string {
  const { userAuthored, uses } = rawContents(draft.raw);
  const own = userAuthored.slice(from, to).filter(Boolean).length;
  const ofUser = own === 0 ? "" : messages === 1 ? ", from the user" : `, ${own} of them from the user`;
  const names = describeUses(
    uses.filter(({ callMessage }) => from <= callMessage && callMessage < to),
    maxNames,
  );
  const place = isBefore ? "left out above" : "left out";
  return `[${countOf(messages, "message")} ${place}${ofUser}${names === "" ? "" : `: ${names}`}]`;
}

interface RawContents extends Pick<Contents, "userAuthored"> {
  readonly uses: readonly ToolUse[];
  /** Lines of each message with text. */
  readonly lines: ReadonlyMap<number, number>;
}

function rawContents(raw: Conversation): RawContents {
  const known = remembered.get(raw);
  if (known !== undefined) return known;
  const { contents, userAuthored } = decompose(raw.messages);
  const lines = new Map<number, number>();
  for (const { at, text } of contents)
    if (text !== "") lines.set(at.message, (lines.get(at.message) ?? 0) + countLines(text));
  const found = { userAuthored, uses: [...new Set(contents.flatMap(({ use }) => use ?? []))], lines };
  remembered.set(raw, found);
  return found;
}

/** Contents by raw conversation. */
const remembered = new WeakMap<Conversation, RawContents>();
