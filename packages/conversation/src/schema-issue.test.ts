import { expect, it } from "vitest";
import { z } from "zod";
import { describeIssues } from "./schema-issue.ts";

const schema = z.strictObject({ list: z.array(z.strictObject({ size: z.number() })) });

it("spells the path, the value and what to give", () => {
  expect(describe({ list: [{ size: 1 }, { size: "large" }] })).toBe(
    'conversation.list[1].size is "large"; give a number',
  );
});

it("counts the faults that it does not spell", () => {
  expect(describe({ list: [{}, {}, {}] })).toBe(
    "conversation.list[0].size is missing; give a number (and 2 more like this)",
  );
});

it("names every unknown field of one place", () => {
  expect(describe({ list: [], a: 1, b: 2 })).toContain('conversation has unknown fields "a", "b"');
});

it("has a word even where nothing is known", () => {
  expect(describeIssues([], {})).toBe("the conversation is malformed");
});

function describe(value: unknown): string {
  return describeIssues(schema.safeParse(value).error?.issues ?? [], value);
}
