import { type Conversation, pureHash as hash, type Message } from "@longhaul/conversation/advanced";
import {
  makeAssistant,
  makeConversation,
  makeText,
  makeToolCall,
  makeToolResult,
  makeUser,
} from "@longhaul/conversation/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { makeView } from "../contract/view.ts";
import { type Draft, makeDraft, openDraft } from "../edits/draft.ts";
import type { Edit } from "../edits/edit.ts";
import { textAt } from "../edits/text-position.ts";
import { addReferences, type ReferenceScope, referencesPass } from "../passes/references.ts";
import { apply } from "../rewrite/apply.ts";
import { flatten, project } from "../rewrite/projection.ts";
import { anyPlan } from "../testing/any-plan.ts";
import { anySession, inexactTexts } from "../testing/any-session.ts";
import { makeContext, makeCounter } from "../testing/context.ts";
import { ambiguousMarks, brokenReferences, referencesIn } from "./check.ts";
import { repoint, resolveReferences } from "./resolve.ts";

const FILE = Array.from(
  { length: 12 },
  (_, line) => `const value${line} = compute(${line}); // line ${line} of the file`,
);
const TEXT = FILE.join("\n");

function reads(...texts: readonly string[]): Conversation {
  return makeConversation([
    makeUser("Read the file."),
    ...texts.flatMap((text, index) => [
      makeAssistant(makeToolCall(`c${index}`)),
      makeUser(makeToolResult(`c${index}`, text)),
    ]),
  ]);
}

function refer(draft: Draft, references: ReferenceScope = "results"): Draft {
  const edits = referencesPass({ references }).plan(makeView(draft, makeContext(1e6)));
  return apply(draft, edits, { answers: [], hash });
}

function resultText({ conversation }: Draft, read: number): string {
  const block = conversation.messages[2 + 2 * read]?.blocks[0];
  return block === undefined ? "" : (textAt(block, [0]) ?? "");
}

describe("resolveReferences", () => {
  it("returns the identical draft if every reference is sound", () => {
    const draft = refer(openDraft(reads(TEXT, TEXT)));
    expect(resultText(draft, 1)).toBe("[same content as read above: src/main.ts]");
    expect(resolveReferences(draft, hash)).toBe(draft);
  });

  it("expands the first reference when its target is removed, and points the others to it", () => {
    const cut: Edit = {
      kind: "splice",
      at: { message: 2, block: 0, path: [0] },
      splices: [{ from: 10, to: TEXT.length - 10, text: "[cut]" }],
      reason: "truncate",
    };
    const draft = apply(refer(openDraft(reads(TEXT, TEXT, TEXT))), [cut], { answers: [], hash });
    expect(resultText(draft, 1)).toBe(TEXT);
    expect(resultText(draft, 2)).toBe("[same content as read above: src/main.ts]");
    expect(brokenReferences(draft)).toEqual([]);
  });

  it("restores the identical message when all its references are expanded", () => {
    const conversation = reads(TEXT, TEXT);
    const drop: Edit = { kind: "replace", from: 1, to: 3, with: [], reason: "drop" };
    const draft = apply(refer(openDraft(conversation)), [drop], { answers: [], hash });
    expect(draft.conversation.messages.at(-1)).toBe(conversation.messages.at(-1));
  });

  it("points a longer repeat to the part that an earlier one expanded", () => {
    const part = FILE.slice(3, 9).join("\n");
    const drop: Edit = { kind: "replace", from: 1, to: 3, with: [], reason: "drop" };
    const draft = apply(refer(openDraft(reads(TEXT, part, TEXT))), [drop], { answers: [], hash });
    const last = draft.conversation.messages.at(-1)?.blocks[0];
    const shown = last === undefined ? "" : textAt(last, [0]);
    expect(shown?.split("\n")).toEqual([
      ...FILE.slice(0, 3),
      "[same as src/main.ts lines 1-6 above]",
      ...FILE.slice(9),
    ]);
  });

  it("keeps pointing to the rest of a target", () => {
    const cut: Edit = {
      kind: "splice",
      at: { message: 2, block: 0, path: [0] },
      splices: [{ from: FILE.slice(0, 4).join("\n").length, to: FILE.slice(0, 8).join("\n").length, text: "\n[cut]" }],
      reason: "truncate",
    };
    const draft = apply(refer(openDraft(reads(TEXT, TEXT))), [cut], { answers: [], hash });
    expect(resultText(draft, 1).split("\n")).toEqual([
      "[same as src/main.ts lines 1-4 above]",
      ...FILE.slice(4, 8),
      "[same as src/main.ts lines 9-12 above]",
    ]);
  });

  it("follows a target that became a reference itself", () => {
    const head = FILE.slice(0, 6).join("\n");
    const raw = openDraft(reads(head, TEXT, TEXT));
    const first = addReferences(raw, { references: "results", from: 5, counter: makeCounter(), hash });
    expect(resultText(first, 2)).toBe("[same content as read above: src/main.ts]");
    const draft = refer(first);
    expect(resultText(draft, 2).split("\n")).toEqual([
      "[same as src/main.ts lines 1-6 above]",
      "[same as src/main.ts lines 7-12 above]",
    ]);
  });

  it("repairs references when the client clears their target", () => {
    const before = reads(TEXT, TEXT, TEXT);
    const projection = flatten(refer(openDraft(before)), hash);
    const cleared = reads("[Old tool result content cleared]", TEXT, TEXT);
    const draft = project(cleared, projection, hash);
    expect(resultText(draft, 1)).toBe(TEXT);
    expect(resultText(draft, 2)).toBe("[same content as read above: src/main.ts]");
  });

  it("leaves no broken reference, whatever passes run in any order", () => {
    let resolved = 0;
    fc.assert(
      fc.property(anySession(), fc.gen(), (conversation, gen) => {
        let draft = openDraft(conversation);
        for (const step of gen(anySteps)) {
          const before = countReferences(draft);
          draft = step === "edit" ? anyEdits(draft, gen) : refer(draft, step);
          if (step === "edit" && before > 0) resolved++;
          expect(brokenReferences(draft)).toEqual([]);
          expect(ambiguousMarks(draft)).toEqual([]);
          expect(inexactTexts(draft)).toEqual([]);
        }
      }),
      { numRuns: 100 },
    );
    expect(resolved).toBeGreaterThan(25);
  });

  it("leaves no broken reference when a stored projection meets messages that the client changed", () => {
    let cleared = 0;
    fc.assert(
      fc.property(anySession(), anyClearings, fc.gen(), (conversation, clearings, gen) => {
        let draft = openDraft(conversation);
        for (const step of gen(anySteps)) draft = step === "edit" ? anyEdits(draft, gen) : refer(draft, step);
        const stored = JSON.parse(JSON.stringify(flatten(draft, hash)));
        const messages = conversation.messages.map((message, index) =>
          clear(message, clearings[index % clearings.length]),
        );
        const changed = { ...conversation, messages };
        const reused = project(changed, stored, hash);
        if (countReferences(reused) !== countReferences(draft)) cleared++;
        expect(brokenReferences(reused)).toEqual([]);
        expect(ambiguousMarks(reused)).toEqual([]);
        expect(inexactTexts(reused)).toEqual([]);
      }),
      { numRuns: 100 },
    );
    expect(cleared).toBeGreaterThan(5);
  });
});

type Step = "edit" | ReferenceScope;

/** References come first, so that there is something to break. */
function anySteps(): fc.Arbitrary<Step[]> {
  const more = fc.array(fc.constantFrom<Step[]>("edit", "results", "all"), { maxLength: 3 });
  return fc.tuple(fc.constantFrom<Step[]>("results", "all"), more).map(([first, rest]) => [first, "edit", ...rest]);
}

function anyEdits(draft: Draft, gen: fc.GeneratorValue): Draft {
  return apply(draft, gen(anyPlan, draft.conversation), { answers: [], hash });
}

/** Clients clear old results or change their form; most messages stay the same. */
const anyClearings = fc.array(fc.constantFrom(undefined, undefined, undefined, "[cleared]", "a\nb"), {
  minLength: 20,
  maxLength: 20,
});

function clear(message: Message, text: string | undefined): Message {
  if (text === undefined) return message;
  const blocks = message.blocks.map((block) =>
    block.type === "tool-result" ? { ...block, content: [makeText(text)] } : block,
  );
  return { ...message, blocks };
}

function countReferences({ slots }: Draft): number {
  return slots.flatMap(referencesIn).length;
}

const LINES = Array.from({ length: 6 }, (_, line) => `a line of the file, long enough to count, ${line}`);
const WRITTEN = LINES.join("\n");
const raw = makeConversation([
  makeUser("Go on."),
  ...["a", "b", "c"].flatMap((id) => [makeAssistant(makeToolCall(id)), makeUser(makeToolResult(id, WRITTEN))]),
]);

function referAt(message: number): Edit {
  const reference = { target: { message: 2, block: 0, path: [0] }, from: 0, to: WRITTEN.length };
  const splices = [{ from: 0, to: WRITTEN.length, text: "[ref]", reference }];
  return { kind: "splice", at: { message, block: 0, path: [0] }, splices, reason: "reference" };
}

/** Two references whose target was dropped without the engine. */
function brokenDraft(): Draft {
  const { slots } = apply(openDraft(raw), [referAt(4), referAt(6)], { answers: [], hash });
  return makeDraft(raw, slots.toSpliced(1, 2));
}

describe("repoint", () => {
  it("expands the first reference and points the second to it, with its own record", () => {
    const draft = brokenDraft();
    const broken = draft.slots.flatMap(referencesIn);
    const pieces = [...repoint(draft, broken, hash).values()];
    const whole = { from: 0, to: WRITTEN.length };
    const made = "[same content as read above: src/main.ts]";
    const reference = { target: { message: 4, block: 0, path: [0] }, ...whole, hash: hash(WRITTEN), standsFor: whole };
    expect(pieces).toEqual([
      [whole],
      [
        { from: 0, to: 0 },
        { made, reference },
        { from: WRITTEN.length, to: WRITTEN.length },
      ],
    ]);
  });

  it("gives the same result for any order of references", () => {
    const draft = brokenDraft();
    const broken = draft.slots.flatMap(referencesIn);
    const pieces = repoint(draft, broken.toReversed(), hash);
    expect(broken.map(({ piece }) => pieces.get(piece))).toEqual([...repoint(draft, broken, hash).values()]);
  });
});
