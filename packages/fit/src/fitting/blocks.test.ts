import { PROJECTION_VERSION, type Projection } from "@longhaul/condense";
import { makeAssistant, makeCompaction, makeUser } from "@longhaul/conversation/testing";
import { expect, it } from "vitest";
import { blocksIn, holdsBlock } from "./blocks.ts";

const projectionOf = (...messages: ReturnType<typeof makeUser>[]): Projection => ({
  version: PROJECTION_VERSION,
  messages: messages.length + 1,
  entries: [
    ...messages.map((message, from) => ({ kind: "made" as const, from, to: from + 1, message })),
    { kind: "keep", from: messages.length, to: messages.length + 1 },
  ],
});

it("finds the vendors' summaries among messages that were made", () => {
  const [one, two] = [makeCompaction("One."), makeCompaction("Two.")];
  const projection = projectionOf(makeAssistant(one), makeUser("Ours."), makeAssistant(["And", two]));
  expect(blocksIn(projection)).toEqual([one, two]);
  expect(blocksIn(projection)).toBe(blocksIn(projection));
  expect(holdsBlock(projection)).toBe(true);
});

it("finds none in our own summaries", () => {
  expect(blocksIn(projectionOf(makeUser("Ours.")))).toEqual([]);
  expect(holdsBlock(projectionOf(makeUser("Ours.")))).toBe(false);
});
