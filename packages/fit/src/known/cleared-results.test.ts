import { CLEARED } from "@longhaul/condense";
import { makeText, makeToolResult } from "@longhaul/conversation/testing";
import { expect, it } from "vitest";
import { isClearedResult } from "./cleared-results.ts";

it.each([
  "[Old tool result content cleared]",
  "[cleared]",
  "[Output removed to save context - information superseded or no longer needed]",
  CLEARED,
  "",
])("takes a result that holds only %j for a cleared one", (text) => {
  expect(isClearedResult({ ...makeToolResult("a"), content: [makeText(text)] })).toBe(true);
});

it("takes an empty result for a cleared one", () => {
  expect(isClearedResult({ ...makeToolResult("a"), content: [] })).toBe(true);
});

it.each([
  "cleared",
  "[cleared] and more",
  "Result:\n[Old tool result content cleared]",
  "<tool_output_masked>\nfirst lines\n</tool_output_masked>",
])("takes %j for another result", (text) => {
  expect(isClearedResult({ ...makeToolResult("a"), content: [makeText(text)] })).toBe(false);
  expect(isClearedResult({ ...makeToolResult("a"), content: [makeText("[cleared]"), makeText(text)] })).toBe(false);
});
