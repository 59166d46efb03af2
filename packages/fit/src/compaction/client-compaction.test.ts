import { expect, it } from "vitest";
import { type ClientOfBlocks, editsIn, handlesBlocks } from "./client-compaction.ts";

it("reads the edits of a body, whatever stands there", () => {
  const edit = { type: "compact_20260112" };
  expect(editsIn({ context_management: { edits: [edit, "x", null] } })).toEqual([edit]);
  // The Responses API has a list there.
  expect(editsIn({ context_management: [{ type: "compaction" }] })).toEqual([]);
  expect(editsIn({ context_management: { edits: "all" } })).toEqual([]);
  expect(editsIn({})).toEqual([]);
});

const messages: ClientOfBlocks = { wire: "anthropic-messages", headers: {}, edits: [] };

it.each<[string, ClientOfBlocks, boolean]>([
  ["a Messages client that says nothing of compaction", messages, false],
  ["one with its own edit", { ...messages, edits: [{ type: "compact_20260112" }] }, true],
  ["one that clears thinking only", { ...messages, edits: [{ type: "clear_thinking_20251015" }] }, false],
  ["one with the beta of the threshold", withBetas("x-1, compact-2026-01-12"), true],
  ["one with the beta of compaction on demand", withBetas("compact-2026-09-04"), true],
  ["one with other betas", withBetas("context-management-2025-06-27,context-1m-2025-08-07"), false],
  ["a client of another format", { ...withBetas("compact-2026-01-12"), wire: "openai-chat" }, false],
])("knows of %s whether it handles blocks", (_, client, expected) => {
  expect(handlesBlocks(client)).toBe(expected);
});

function withBetas(betas: string) {
  return { ...messages, headers: { "anthropic-beta": betas } };
}
