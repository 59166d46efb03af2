import { LonghaulError, type Message } from "@longhaul/conversation";
import { type Change, type ResolvedSplice, renderPieces, rewriteMessage, splicePieces, wholeText } from "./change.ts";
import { keptSlot, type Slot } from "./draft.ts";
import type { Edit, Splice } from "./edit.ts";
import { groupBy } from "./lists.ts";
import { isInside, type Path, samePath, textAt } from "./text-position.ts";

export type InnerEdit = Exclude<Edit, { kind: "replace" }>;

/** Groups edits by message. */
export function editsByMessage(edits: readonly InnerEdit[]): Map<number, InnerEdit[]> {
  return groupBy(edits, (edit) => edit.at.message);
}

/** Answers a splice's ask and converts its reference to raw coordinates. */
type Resolve = (splice: Splice) => ResolvedSplice;

/** Applies edits to one message. Their block positions are the message's current ones. */
export function editSlot(
  slot: Slot,
  edits: readonly InnerEdit[],
  context: { rawAt: (index: number) => Message | undefined; resolve: Resolve },
): Slot {
  const base = slot.kind === "kept" ? context.rawAt(slot.index) : slot.message;
  if (base === undefined) throw new LonghaulError("internal.bug", "a draft points past its raw conversation");
  let changes: readonly Change[] = slot.kind === "kept" ? slot.changes : [];
  for (const edit of edits) {
    const block = slot.kind === "kept" ? slot.sources[edit.at.block] : edit.at.block;
    if (block === undefined) throw noSuchPlace(edit);
    changes = withEdit(changes, { edit, block, base, resolve: context.resolve });
  }
  return slot.kind === "kept"
    ? keptSlot(base, slot.index, changes)
    : { ...slot, message: rewriteMessage(base, changes).message };
}

interface EditInBlock {
  readonly edit: InnerEdit;
  readonly block: number;
  readonly base: Message;
  readonly resolve: Resolve;
}

function withEdit(changes: readonly Change[], { edit, block, base, resolve }: EditInBlock): Change[] {
  const { path } = edit.at;
  const earlier = changes.find((change) => change.block === block && samePath(change.path, path));
  if (edit.kind === "splice") {
    const splices = edit.splices.map(resolve);
    const input = changes.find((change) => change.block === block && change.kind === "input");
    if (input?.kind === "input") return replaceChange(changes, input, spliceInput(input, path, splices));
    return replaceChange(changes, earlier, spliceText(earlier, { block, path, splices, base }));
  }
  const others = changes.filter((change) => change.block !== block || !isInside(change.path, path));
  if (edit.kind === "input") return [...others, { kind: "input", block, path: [], input: edit.input }];
  return [...others, { kind: "gone", block, path, ...(edit.left === undefined ? {} : { left: edit.left }) }];
}

interface TextSplice {
  readonly block: number;
  readonly path: Path;
  readonly splices: readonly ResolvedSplice[];
  readonly base: Message;
}

function spliceText(earlier: Change | undefined, { block, path, splices, base }: TextSplice): Change {
  if (earlier?.kind === "text") return { ...earlier, pieces: splicePieces(earlier.pieces, splices) };
  if (earlier?.kind === "gone" && earlier.left !== undefined) {
    return { ...earlier, left: spliceMade(earlier.left, splices) };
  }
  const raw = base.blocks[block];
  const text = raw === undefined ? undefined : textAt(raw, path);
  if (text === undefined) throw new LonghaulError("internal.bug", `no text at block ${block}, ${JSON.stringify(path)}`);
  return { kind: "text", block, path, pieces: splicePieces(wholeText(text), splices) };
}

function spliceInput(
  change: Extract<Change, { kind: "input" }>,
  path: Path,
  splices: readonly ResolvedSplice[],
): Change {
  const key = path[0];
  const text = typeof key === "string" ? change.input[key] : undefined;
  if (path.length !== 1 || typeof key !== "string" || typeof text !== "string") return change;
  return { ...change, input: { ...change.input, [key]: spliceMade(text, splices) } };
}

function spliceMade(text: string, splices: readonly ResolvedSplice[]): string {
  return renderPieces(splicePieces(wholeText(text), splices), text);
}

function replaceChange(changes: readonly Change[], earlier: Change | undefined, later: Change): Change[] {
  return [...changes.filter((change) => change !== earlier), later];
}

function noSuchPlace(edit: InnerEdit): LonghaulError {
  return new LonghaulError("internal.bug", `message ${edit.at.message} has no block ${edit.at.block}`);
}
