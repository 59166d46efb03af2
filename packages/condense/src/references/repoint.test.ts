import { pureHash as hash } from "@longhaul/conversation";
import {
  makeAssistant,
  makeConversation,
  makeToolCall,
  makeToolResult,
  makeUser,
} from "@longhaul/conversation/testing";
import { describe, expect, it } from "vitest";
import { type Draft, makeDraft, openDraft } from "../edits/draft.ts";
import type { Edit } from "../edits/edit.ts";
import { apply } from "../rewrite/apply.ts";
import { referencesIn } from "./check.ts";
import { repoint } from "./repoint.ts";

const LINES = Array.from({ length: 6 }, (_, line) => `a line of the file, long enough to count, ${line}`);
const TEXT = LINES.join("\n");
const raw = makeConversation([
  makeUser("Go on."),
  ...["a", "b", "c"].flatMap((id) => [makeAssistant(makeToolCall(id)), makeUser(makeToolResult(id, TEXT))]),
]);

function refer(message: number): Edit {
  const reference = { target: { message: 2, block: 0, path: [0] }, from: 0, to: TEXT.length };
  const splices = [{ from: 0, to: TEXT.length, text: "⟨ ref ⟩", reference }];
  return { kind: "splice", at: { message, block: 0, path: [0] }, splices, reason: "reference" };
}

/** Two references whose target was dropped behind the engine's back. */
function brokenDraft(): Draft {
  const { slots } = apply(openDraft(raw), [refer(4), refer(6)], { answers: [], hash });
  return makeDraft(raw, slots.toSpliced(1, 2));
}

describe("repoint", () => {
  it("writes the first reference out and points the second to it, with a record of its own", () => {
    const draft = brokenDraft();
    const broken = draft.slots.flatMap(referencesIn);
    const pieces = [...repoint(draft, broken, hash).values()];
    const whole = { from: 0, to: TEXT.length };
    const made = "⟨ File content already provided above: see message #3 for read_file src/main.ts, unchanged ⟩";
    const reference = { target: { message: 4, block: 0, path: [0] }, ...whole, hash: hash(TEXT), standsFor: whole };
    expect(pieces).toEqual([
      [whole],
      [
        { from: 0, to: 0 },
        { made, reference },
        { from: TEXT.length, to: TEXT.length },
      ],
    ]);
  });

  it("does the same in whatever order the references are given", () => {
    const draft = brokenDraft();
    const broken = draft.slots.flatMap(referencesIn);
    const pieces = repoint(draft, broken.toReversed(), hash);
    expect(broken.map(({ piece }) => pieces.get(piece))).toEqual([...repoint(draft, broken, hash).values()]);
  });
});
