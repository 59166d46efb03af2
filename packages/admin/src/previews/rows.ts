import { isNote, type Reason, reasonFromMarks } from "@longhaul/condense/advanced";
import { type Block, fingerprint, type Message, table } from "@longhaul/conversation/advanced";
import { sha256 } from "@longhaul/fit";
import type { TokenCounter } from "@longhaul/models";
import type { RowAnswer, RowsPage } from "../api/previews.ts";
import { blockText, type Cause, kindOfBlock, type LocatedBlock, type Pair } from "./blocks.ts";

/** Longer texts are cut, except in a single requested row. */
export const SHOWN_CHARS = 4_000;

/** A conversation's rows, and which of them changed. `messages` are those before. */
export function rowsOf(
  { pairs, messages }: { readonly pairs: readonly Pair[]; readonly messages: readonly Message[] },
  page: RowsPage,
  counter: TokenCounter,
) {
  const changed = pairs.flatMap((pair, at) => (isSame(pair) ? [] : [at])).slice(0, MAX_CHANGED);
  const hashes = new Map<number, string>();
  const rows = pageRows(pairs, page, counter).map((row) => {
    const message = messages[row.message];
    if (message === undefined) return row;
    const hash = hashes.get(row.message) ?? fingerprint(message, sha256);
    hashes.set(row.message, hash);
    return { ...row, hash };
  });
  return { rowCount: pairs.length, rows, changed };
}

const MAX_CHANGED = 5_000;

function pageRows(pairs: readonly Pair[], page: RowsPage, counter: TokenCounter): RowAnswer[] {
  const { from, limit, row } = page;
  const [first, count] = row === undefined ? [from, limit] : [row, 1];
  const maxChars = row === undefined ? SHOWN_CHARS : Number.POSITIVE_INFINITY;
  const shown = pairs.slice(first, first + count);
  const rowOfReplacement = replacementRows(pairs, shown);
  return shown.map((pair, offset) => {
    const replacedBy = pair.replacement && rowOfReplacement.get(pair.replacement);
    const row = { at: first + offset, ...describe(pair), ...texts(pair, maxChars), ...tokens(pair, counter) };
    return replacedBy === undefined ? row : { ...row, replacedBy };
  });
}

function replacementRows(pairs: readonly Pair[], shown: readonly Pair[]): ReadonlyMap<LocatedBlock, number> {
  const wanted = new Set(shown.map(({ replacement }) => replacement));
  return new Map(
    pairs.flatMap(({ before, after }, at) => (before === undefined && after && wanted.has(after) ? [[after, at]] : [])),
  );
}

type Description = Pick<RowAnswer, "message" | "role" | "kind" | "name" | "fate" | "why" | "pass">;

function describe(pair: Pair): Description {
  const { before, after } = pair;
  if (before === undefined) return describeAdded(after);
  const { role, message, block } = before;
  const name = block.type === "tool-call" || block.type === "tool-result" ? block.name : undefined;
  const about = { message, role, kind: kindOfBlock(block), ...(name !== undefined && { name }) };
  if (isSame(pair))
    return { ...about, fate: "kept", why: hasNote(pair) ? "Kept; the gateway's note or mark follows." : "" };
  const { reason, pass } = causeOf(before.block, pair);
  const fate = after === undefined ? FATES_OF_REMOVED[reason] : FATES[reason];
  return { ...about, fate, why: WHY[reason], ...(pass !== undefined && { pass }) };
}

function describeAdded(added: LocatedBlock | undefined): Description {
  const text = added === undefined ? "" : blockText(added.block);
  const about = { message: -1, role: added?.role ?? "user", fate: "added" } as const;
  if (isNote(text)) return { ...about, kind: "note", why: "Counts the omitted messages and lines." };
  return { ...about, kind: "summary", why: "Summary of the messages above." };
}

/** A block is the same if only the gateway's note was added to it. */
function isSame(pair: Pair): boolean {
  const { before, after } = pair;
  if (before === undefined || after === undefined) return false;
  return before.block === after.block || blockText(before.block) === blockText(after.block) || hasNote(pair);
}

/** Whether only the gateway's note, or a mark at a gap, was added to a block. */
function hasNote({ before, after }: Pair): boolean {
  if (before === undefined || after === undefined || before.block === after.block) return false;
  const [was, is] = [blockText(before.block), blockText(after.block)];
  return is.startsWith(was) && isNote(is.slice(was.length));
}

/** Returns the traced cause of a change, or infers it from both texts. */
function causeOf(block: Block, { after, replacement, cause }: Pair): Cause {
  if (cause !== undefined) return cause;
  if (after !== undefined) return { reason: reasonFromMarks(blockText(block), blockText(after.block)) ?? "cover" };
  if (replacement !== undefined && !isNote(blockText(replacement.block))) return { reason: "summarize" };
  return { reason: kindOfBlock(block) === "thinking" ? "thinking" : "drop" };
}

const FATES: Readonly<Record<Reason, RowAnswer["fate"]>> = table({
  reference: "referenced",
  consolidate: "referenced",
  obsolete: "suppressed",
  suppress: "suppressed",
  truncate: "shortened",
  cover: "shortened",
  summarize: "summarised",
  drop: "dropped",
  thinking: "dropped",
});

/** The fates of removed blocks: dropped, unless something else replaces them. */
const FATES_OF_REMOVED: Readonly<Record<Reason, RowAnswer["fate"]>> = table({
  ...FATES,
  reference: "dropped",
  consolidate: "dropped",
  truncate: "dropped",
  cover: "dropped",
});

const WHY: Readonly<Record<Reason, string>> = table({
  reference: "Identical to earlier lines; nothing lost.",
  consolidate: "Same result as an earlier call.",
  obsolete: "Replaced by a later message.",
  suppress: "Old content, replaced by a mark.",
  truncate: "Shortened; a mark shows how much is missing.",
  cover: "Shortened to the lines that will likely be needed again.",
  summarize: "Part of a summary.",
  drop: "Removed to make room.",
  thinking: "Thinking that is invalid after this change, or that the model does not read.",
});

function texts(pair: Pair, maxChars: number): Pick<RowAnswer, "before" | "after" | "isCut"> {
  const { before, after } = pair;
  const earlier = before && blockText(before.block);
  const later = after && after.block !== before?.block ? blockText(after.block) : undefined;
  return {
    ...(earlier !== undefined && { before: shown(earlier, maxChars) }),
    ...(later !== undefined && later !== earlier && { after: shown(later, maxChars) }),
    isCut: [earlier, later].some((text) => text !== undefined && text.length > maxChars),
  };
}

/** Cuts a text, but never between the two halves of a character. */
function shown(text: string, maxChars: number): string {
  return text.length <= maxChars ? text : text.slice(0, maxChars).replace(/[\uD800-\uDBFF]$/, "");
}

function tokens(pair: Pair, counter: TokenCounter): Pick<RowAnswer, "tokensBefore" | "tokensAfter"> {
  const { before, after } = pair;
  const tokensBefore = before === undefined ? 0 : counter.countBlock(before.block);
  return { tokensBefore, tokensAfter: after === undefined ? 0 : counter.countBlock(after.block) };
}
