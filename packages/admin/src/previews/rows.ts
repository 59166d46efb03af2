import { isNote, type Reason, reasonFromMarkers } from "@longhaul/condense";
import { type Block, table } from "@longhaul/conversation";
import type { TokenCounter } from "@longhaul/models";
import type { RowAnswer, RowsPage } from "../api/previews.ts";
import { type Cause, kindOf, type Pair, type Placed, spellBlock } from "./blocks.ts";

/** Longer texts are told by their beginning, unless a row is asked for by itself. */
export const SHOWN_CHARS = 4_000;

/** A page of pairs, as it is told. */
export function rowsOf(pairs: readonly Pair[], page: RowsPage, counter: TokenCounter): RowAnswer[] {
  const { from, limit, row } = page;
  const [first, count] = row === undefined ? [from, limit] : [row, 1];
  const maxChars = row === undefined ? SHOWN_CHARS : Number.POSITIVE_INFINITY;
  const shown = pairs.slice(first, first + count);
  const rowOfStandIn = standInRows(pairs, shown);
  return shown.map((pair, offset) => {
    const standIn = pair.standIn && rowOfStandIn.get(pair.standIn);
    const row = { at: first + offset, ...describe(pair), ...texts(pair, maxChars), ...tokens(pair, counter) };
    return standIn === undefined ? row : { ...row, standIn };
  });
}

function standInRows(pairs: readonly Pair[], shown: readonly Pair[]): ReadonlyMap<Placed, number> {
  const wanted = new Set(shown.map(({ standIn }) => standIn));
  return new Map(
    pairs.flatMap(({ before, after }, at) => (before === undefined && after && wanted.has(after) ? [[after, at]] : [])),
  );
}

type Description = Pick<RowAnswer, "message" | "role" | "kind" | "name" | "fate" | "why" | "pass">;

function describe(pair: Pair): Description {
  const { before, after } = pair;
  if (before === undefined) return describeAdded(after);
  const { role, message, block } = before;
  const name = nameOf(block);
  const about = { message, role, kind: kindOf(block), ...(name !== undefined && { name }) };
  if (isSame(pair)) return { ...about, fate: "kept", why: "" };
  const { reason, pass } = causeOf(before.block, pair);
  const fate = after === undefined ? FATES_OF_GONE[reason] : FATES[reason];
  return { ...about, fate, why: WHY[reason], ...(pass !== undefined && { pass }) };
}

function describeAdded(added: Placed | undefined): Description {
  const text = added === undefined ? "" : spellBlock(added.block);
  const about = { message: -1, role: added?.role ?? "user", fate: "added" } as const;
  if (isNote(text)) return { ...about, kind: "note", why: "It says what is missing." };
  return { ...about, kind: "summary", why: "It stands for what was said before it." };
}

function nameOf(block: Block): string | undefined {
  return block.type === "tool-call" || block.type === "tool-result" ? block.name : undefined;
}

function isSame({ before, after }: Pair): boolean {
  if (before === undefined || after === undefined) return false;
  return before.block === after.block || spellBlock(before.block) === spellBlock(after.block);
}

/** What was done to a block, as it was traced, or as far as both texts tell. */
function causeOf(block: Block, { after, standIn, cause }: Pair): Cause {
  if (cause !== undefined) return cause;
  if (after !== undefined) return { reason: reasonFromMarkers(spellBlock(block), spellBlock(after.block)) ?? "cover" };
  if (standIn !== undefined && !isNote(spellBlock(standIn.block))) return { reason: "summarize" };
  return { reason: kindOf(block) === "thinking" ? "thinking" : "drop" };
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

/** What is not there at all any more was left out, unless something else tells it. */
const FATES_OF_GONE: Readonly<Record<Reason, RowAnswer["fate"]>> = table({
  ...FATES,
  reference: "dropped",
  consolidate: "dropped",
  truncate: "dropped",
  cover: "dropped",
});

const WHY: Readonly<Record<Reason, string>> = table({
  reference: "The same lines stand further up, word for word; nothing is lost.",
  consolidate: "The same operation gave the same result before.",
  obsolete: "A later message tells it anew.",
  suppress: "Older content gave way to a marker.",
  truncate: "Its beginning, or its beginning and end, are left; a marker says how much is missing.",
  cover: "Only what will likely be needed again is left.",
  summarize: "A summary tells it.",
  drop: "It was left out to make room.",
  thinking: "Reasoning after a change is refused by the model, or not sent to this one.",
});

function texts(pair: Pair, maxChars: number): Pick<RowAnswer, "before" | "after" | "isCut"> {
  const { before, after } = pair;
  const earlier = before && spellBlock(before.block);
  const later = after && !isSame(pair) ? spellBlock(after.block) : undefined;
  return {
    ...(earlier !== undefined && { before: shown(earlier, maxChars) }),
    ...(later !== undefined && { after: shown(later, maxChars) }),
    isCut: [earlier, later].some((text) => text !== undefined && text.length > maxChars),
  };
}

/** The beginning of a text; half a character would be none. */
function shown(text: string, maxChars: number): string {
  return text.length <= maxChars ? text : text.slice(0, maxChars).replace(/[\uD800-\uDBFF]$/, "");
}

function tokens(pair: Pair, counter: TokenCounter): Pick<RowAnswer, "tokensBefore" | "tokensAfter"> {
  const { before, after } = pair;
  const tokensBefore = before === undefined ? 0 : counter.countBlock(before.block);
  if (isSame(pair)) return { tokensBefore, tokensAfter: tokensBefore };
  return { tokensBefore, tokensAfter: after === undefined ? 0 : counter.countBlock(after.block) };
}
