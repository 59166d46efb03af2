import { expect, it } from "vitest";
import { type Beat, beats, TOOLS } from "./beats.ts";
import { SHOP_PARTS } from "./shop.ts";

function first(count: number): Beat[] {
  const taken: Beat[] = [];
  for (const beat of beats()) {
    if (taken.length === count) break;
    taken.push(beat);
  }
  return taken;
}

it("begins with the user, calls only tools that there are, and never ends", () => {
  const session = first(300);
  expect(session).toHaveLength(300);
  expect(session[0]?.says).toBe(SHOP_PARTS[0]?.wish);
  const names = new Set(TOOLS.map(({ name }) => name));
  expect(session.flatMap(({ reply }) => ("tool" in reply && !names.has(reply.tool) ? [reply.tool] : []))).toEqual([]);
});

it("lets the user speak only after the model has ended its turn", () => {
  const session = first(300);
  const interrupted = session.filter(({ says }, index) => {
    const before = session[index - 1];
    return says !== undefined && before !== undefined && "tool" in before.reply;
  });
  expect(interrupted).toEqual([]);
});

it("says nothing that would be taken for the wish for a summary", () => {
  expect(JSON.stringify(first(300))).not.toMatch(/summar/i);
});
