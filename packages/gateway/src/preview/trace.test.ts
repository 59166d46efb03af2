import { type AppliedPass, type Edit, makeDraft, openDraft } from "@longhaul/condense";
import { makeAssistant, makeConversation, makeUser } from "@longhaul/conversation/testing";
import { expect, it } from "vitest";
import { makeTrace } from "./trace.ts";

const raw = makeConversation([
  makeUser(["a", "b"]),
  makeAssistant("c"),
  makeUser("d"),
  makeAssistant("e"),
  makeUser("f"),
]);
const whole = openDraft(raw);
/** The same after messages 1 and 2 were summarised, and the first block of message 0 was taken away. */
const summary = { kind: "made", message: makeUser("in short"), from: 1, to: 3 } as const;
const kept = { kind: "kept", index: 0, message: makeUser("b"), changes: [], sources: [1] } as const;
const smaller = makeDraft(raw, [kept, summary, ...whole.slots.slice(3)]);

function applied(edits: readonly Edit[], before = whole): AppliedPass {
  return { pass: { id: "p", name: "Pass", plan: () => [] }, edits, before };
}

it("tells of raw blocks and messages what was done to them last, whatever stood before them by then", () => {
  const trace = makeTrace();
  const at = { message: 0, block: 0, path: [] };
  trace.take(applied([{ kind: "splice", at, splices: [], reason: "truncate" }]));
  trace.take(applied([{ kind: "remove", at, reason: "suppress" }], smaller));
  trace.take(applied([{ kind: "replace", from: 1, to: 3, with: [], reason: "drop" }], smaller));
  expect(trace.causeOf(0, 0)).toEqual({ reason: "truncate", pass: "Pass" });
  expect(trace.causeOf(0, 1)).toEqual({ reason: "suppress", pass: "Pass" });
  expect([0, 1, 2, 3, 4].map((message) => trace.causeOf(message)?.reason)).toEqual([
    undefined,
    "drop",
    "drop",
    "drop",
    undefined,
  ]);
});

it("says nothing of edits to what is not the client's", () => {
  const trace = makeTrace();
  trace.take(applied([{ kind: "remove", at: { message: 1, block: 0, path: [] }, reason: "suppress" }], smaller));
  expect([0, 1, 2, 3].map((message) => trace.causeOf(message, 0))).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});

it("forgets what a strategy did that gave way to another", () => {
  const trace = makeTrace();
  trace.take(applied([{ kind: "replace", from: 0, to: 2, with: [], reason: "summarize" }]));
  trace.take(applied([{ kind: "replace", from: 2, to: 3, with: [], reason: "drop" }]));
  expect([0, 1, 2].map((message) => trace.causeOf(message)?.reason)).toEqual([undefined, undefined, "drop"]);
});
