import type { Conversation } from "@longhaul/conversation";
import fc from "fast-check";
import { legalCuts } from "../content/cuts.ts";
import type { Edit, Splice } from "../edits/edit.ts";
import { textsIn } from "../edits/text-position.ts";

/** Edits of every kind that `apply` can carry out on this conversation. They never overlap and never split a tool pair. */
export function anyPlan(conversation: Conversation): fc.Arbitrary<readonly Edit[]> {
  return anyRange(conversation).chain((range) =>
    fc.tuple(...innerEdits(conversation, range)).map((inner) => [...inner.flat(), ...range]),
  );
}

type ReplaceEdit = Extract<Edit, { kind: "replace" }>;

function anyRange({ messages }: Conversation): fc.Arbitrary<ReplaceEdit[]> {
  const cuts = [...legalCuts(messages).entries()].flatMap(([index, isLegal]) => (isLegal ? [index] : []));
  const range = fc.tuple(fc.constantFrom(...cuts), fc.constantFrom(...cuts), fc.nat({ max: 2 })).map(
    ([a, b, made]): ReplaceEdit => ({
      kind: "replace",
      from: Math.min(a, b),
      to: Math.max(a, b),
      with: Array.from({ length: made }, (_, index) => ({ role: "user", parts: [`made ${index}`] })),
      reason: "drop",
    }),
  );
  return fc.oneof(
    fc.constant<ReplaceEdit[]>([]),
    range.map((edit): ReplaceEdit[] => (edit.from === edit.to ? [] : [edit])),
  );
}

function innerEdits(
  { messages }: Conversation,
  ranges: readonly { from: number; to: number }[],
): fc.Arbitrary<Edit[]>[] {
  return messages.flatMap((message, index) => {
    if (ranges.some(({ from, to }) => from <= index && index < to)) return [];
    return message.blocks.map((block, position) => {
      const at = { message: index, block: position, path: [] };
      if (block.type === "image" || block.type === "document") {
        return maybe(fc.constant<Edit[]>([{ kind: "remove", at, left: "gone", reason: "drop" }]));
      }
      if (block.type === "tool-call" && typeof block.input === "object") {
        const suppressed: Edit = { kind: "input", at, input: { note: "suppressed" }, reason: "suppress" };
        return fc.oneof(maybe(fc.constant([suppressed])), textEdits(textsIn(block), at));
      }
      return textEdits(textsIn(block), at);
    });
  });
}

function textEdits(texts: ReturnType<typeof textsIn>, at: { message: number; block: number }): fc.Arbitrary<Edit[]> {
  const edits = texts.map(({ path, text }) =>
    maybe(
      anySplices(text.length).map((splices): Edit[] =>
        splices.length === 0 ? [] : [{ kind: "splice", at: { ...at, path }, splices, reason: "truncate" }],
      ),
    ),
  );
  return fc.tuple(...edits).map((all) => all.flat());
}

function maybe(edits: fc.Arbitrary<Edit[]>): fc.Arbitrary<Edit[]> {
  return fc.oneof(fc.constant<Edit[]>([]), edits);
}

/** Splices that do not overlap, for a text of this length. */
export function anySplices(length: number): fc.Arbitrary<(Omit<Splice, "text" | "reference"> & { text: string })[]> {
  return fc.uniqueArray(fc.integer({ min: 0, max: length }), { maxLength: 6 }).map((points) => {
    const sorted = points.sort((a, b) => a - b);
    return Array.from({ length: Math.floor(sorted.length / 2) }, (_, index) => ({
      from: sorted[2 * index]!,
      to: sorted[2 * index + 1]!,
      text: index % 2 === 0 ? `[${index}]` : "",
    }));
  });
}
