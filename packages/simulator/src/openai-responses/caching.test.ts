import { expect, it } from "vitest";
import { totalOf } from "../core/automatic-caching.ts";
import type { JsonObject } from "../core/json.ts";
import { makeWorld } from "../core/world.ts";
import { piecesOf } from "./caching.ts";
import { ENCRYPTED_PREFIX } from "./check-items.ts";

const world = makeWorld({ skew: 1 });
const count = (item: JsonObject) => totalOf(piecesOf({}, [item], world));
const sealed = (kind: string, payload: JsonObject) => `${ENCRYPTED_PREFIX}${world.seals.seal(kind, payload)}`;

it.each<[string, JsonObject, number]>([
  ["a message", { role: "user", content: "one two" }, 6],
  ["an image", { role: "user", content: [{ type: "input_image", image_url: "x".repeat(9_999) }] }, 769],
  ["a file", { role: "user", content: [{ type: "input_file" }] }, 3_004],
  ["a call", { type: "function_call", call_id: "c", name: "read", arguments: "" }, 6],
  ["a custom call", { type: "custom_tool_call", call_id: "c", name: "read", input: "" }, 6],
  ["a result", { type: "function_call_output", call_id: "c", output: "one two" }, 6],
  [
    "a result of parts",
    { type: "function_call_output", call_id: "c", output: [{ type: "input_text", text: "one two" }] },
    6,
  ],
  ["reasoning by its original size", { type: "reasoning", encrypted_content: sealed("reasoning", { tokens: 50 }) }, 50],
  ["reasoning of unknown length", { type: "reasoning" }, 4],
  [
    "a compaction by its summary",
    { type: "compaction", encrypted_content: sealed("compaction", { summary: "one two" }) },
    6,
  ],
  ["a trigger", { type: "compaction_trigger" }, 0],
])("counts %s", (_, item, tokens) => {
  expect(Math.abs(count(item) - tokens)).toBeLessThanOrEqual(1);
});

it("counts unknown items by their JSON", () => {
  expect(count({ type: "mcp_list_tools", tools: ["a", "b"] })).toBeGreaterThan(12);
});

it("begins with tools and instructions", () => {
  const pieces = piecesOf(
    { tools: [{ name: "t" }], instructions: "be kind" },
    [{ role: "user", content: "hi" }],
    world,
  );
  expect(pieces.map(({ text }) => text)).toEqual([
    "",
    '{"name":"t"}',
    "\ninstructions:",
    "be kind",
    "\nmessage:user:",
    "hi",
  ]);
});
