import { expect, it } from "vitest";
import type { JsonObject } from "../core/json.ts";
import { makeWorld } from "../core/make-world.ts";
import { messagesIn } from "./messages.ts";
import { segmentsOf, totalTokens } from "./segments.ts";

const world = makeWorld({ skew: 1 });
const segments = (body: JsonObject, tokens = new Map<JsonObject, number>()) =>
  segmentsOf({ body, messages: messagesIn(body), tokens }, world);
const tokensOf = (content: unknown) => totalTokens(segments({ messages: [{ role: "user", content }] }));

it("orders tools, system and messages", () => {
  const body = { system: "s", tools: [{ name: "t" }], messages: [{ role: "user", content: "m" }] };
  expect(segments(body).map(({ text }) => text)).toEqual([
    '{"name":"t"}',
    'system:{"type":"text","text":"s"}',
    '[null,null,null]user:{"type":"text","text":"m"}',
  ]);
});

it("finds breakpoints, also inside results, with their lifetime", () => {
  const cache_control = { type: "ephemeral" };
  const body = {
    tools: [{ name: "t", cache_control: { type: "ephemeral", ttl: "1h" } }],
    messages: [
      {
        role: "user",
        content: [
          { type: "text", text: "a", cache_control },
          { type: "tool_result", content: [{ type: "text", text: "b", cache_control }] },
          { type: "text", text: "c" },
        ],
      },
    ],
  };
  expect(segments(body).map(({ ttl }) => ttl)).toEqual(["1h", "5m", "5m", undefined]);
});

it("changes what is cached of messages with tool choice and thinking, not what is cached before", () => {
  const body = { system: "s", messages: [{ role: "user", content: "m" }] };
  const [system, message] = segments(body);
  const other = segments({ ...body, thinking: { type: "adaptive" } });
  expect([other[0]?.text === system?.text, other[1]?.text === message?.text]).toEqual([true, false]);
});

it.each<[string, unknown, number]>([
  ["text", "one two", 9],
  ["an image, whatever its bytes", [{ type: "image", source: { data: "x".repeat(99_999) } }], 1_607],
  ["a text document", [{ type: "document", source: { type: "text", data: "one two" } }], 9],
  ["a document of blocks", [{ type: "document", source: { type: "content", content: "one two" } }], 9],
  ["another document", [{ type: "document", source: { type: "base64", data: "x" } }], 3_007],
  ["a call", [{ type: "tool_use", name: "one", input: {} }], 28],
  ["the arguments of a call one by one", [{ type: "tool_use", name: "one", input: { a: "one two", b: 7 } }], 48],
  ["a result", [{ type: "tool_result", content: [{ type: "text", text: "one two" }] }], 27],
  ["a compaction block", [{ type: "compaction", content: "one two", signature: "x".repeat(500) }], 9],
  ["thinking", [{ type: "thinking", thinking: "one two", signature: "x".repeat(500) }], 9],
])("counts %s", (_, content, tokens) => {
  expect(Math.abs(tokensOf(content) - tokens)).toBeLessThanOrEqual(1);
});

it("counts signed thinking by what it stands for", () => {
  const body = { messages: [{ role: "user", content: [{ type: "thinking", thinking: "" }] }] };
  const messages = messagesIn(body);
  const [block] = messages[0]?.blocks ?? [];
  expect(totalTokens(segmentsOf({ body, messages, tokens: new Map([[block ?? {}, 500]]) }, world))).toBe(507);
});
