import { makeAssistant, makeConversation, makeUser } from "@longhaul/conversation/testing";
import { expect, it } from "vitest";
import { makeTestView } from "../testing/context.ts";
import { dropRanges } from "./drop-range.ts";

const view = makeTestView(makeConversation([makeUser("a".repeat(400)), makeAssistant("ok"), makeUser("go on")]), 1_000);

it("a note takes the place of a range", () => {
  expect(dropRanges(view, [{ from: 0, to: 2 }])).toEqual([
    {
      kind: "replace",
      from: 0,
      to: 2,
      with: [{ role: "user", parts: ["⟨ 2 earlier messages removed to fit the context window ⟩"] }],
      reason: "drop",
    },
  ]);
});

it("a range that its note would outweigh stays", () => {
  expect(dropRanges(view, [{ from: 1, to: 2 }])).toEqual([]);
});
