import { findModel, loadCatalog } from "@longhaul/models/catalog";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../core/json.ts";
import { makeWorld } from "../core/world.ts";
import {
  billedOf,
  billPrompt,
  type CacheRequest,
  iterationOf,
  minimumTokens,
  type Segment,
  segmentsOf,
  totalTokens,
  usageOf,
} from "./caching.ts";
import { messagesIn } from "./request.ts";

const catalog = loadCatalog();
const modelOf = (id: string) => findModel(catalog, id, "anthropic").model;
const model = modelOf("claude-opus-5");

/** Segments of 1,000 tokens each, named by letters. A capital letter is a breakpoint, with `!` before it for an hour. */
function prompt(letters: string): readonly Segment[] {
  return (letters.match(/!?[a-zA-Z]/g) ?? []).map((mark) => {
    const letter = mark.replace("!", "");
    const isMark = letter !== letter.toLowerCase();
    const ttl = mark.startsWith("!") ? ("1h" as const) : ("5m" as const);
    return { text: letter.toLowerCase(), tokens: 1_000, isCacheable: true, ...(isMark && { ttl }) };
  });
}

function open(clock = { ms: 0 }) {
  const world = makeWorld({ now: () => clock.ms });
  return (letters: string, more: Partial<CacheRequest> = {}) =>
    billPrompt({ segments: prompt(letters), model, credential: "key", ...more }, world);
}

it("bills everything as input without breakpoints", () => {
  expect(open()("abc")).toEqual({ input: 3_003, read: 0, write5m: 0, write1h: 0 });
});

it("writes up to the last breakpoint, then reads it and writes new segments", () => {
  const bill = open();
  expect(bill("abCd")).toEqual({ input: 1_003, read: 0, write5m: 3_000, write1h: 0 });
  expect(bill("abcdeF")).toEqual({ input: 3, read: 3_000, write5m: 3_000, write1h: 0 });
  expect(bill("abcdeF")).toEqual({ input: 3, read: 6_000, write5m: 0, write1h: 0 });
});

it("reads the longest common prefix", () => {
  const bill = open();
  bill("aBcD");
  expect(bill("aBxD")).toEqual({ input: 3, read: 2_000, write5m: 2_000, write1h: 0 });
  expect(bill("xBcD")).toMatchObject({ read: 0, write5m: 4_000 });
});

it("looks back at most twenty blocks from a breakpoint", () => {
  const bill = open();
  bill("A");
  const letters = "abcdefghijklmnopqrstuvwxyz";
  expect(bill(`${letters.slice(0, 19)}T`)).toMatchObject({ read: 1_000 });
  const other = open();
  other("A");
  expect(other(`${letters.slice(0, 20)}U`)).toMatchObject({ read: 0 });
});

it("expires after five minutes or an hour since the last use", () => {
  const clock = { ms: 0 };
  const bill = open(clock);
  bill("A");
  clock.ms = 4 * 60_000;
  expect(bill("A").read).toBe(1_000);
  clock.ms = 8 * 60_000;
  expect(bill("A").read).toBe(1_000);
  clock.ms = 14 * 60_000;
  expect(bill("A").read).toBe(0);
  bill("!B");
  clock.ms += 59 * 60_000;
  expect(bill("!B").read).toBe(1_000);
  clock.ms += 61 * 60_000;
  expect(bill("!B").read).toBe(0);
});

it("bills writes for an hour separately", () => {
  const bill = open();
  expect(bill("!AbC")).toEqual({ input: 3, read: 0, write1h: 1_000, write5m: 2_000 });
  expect(bill("!AbCdE")).toEqual({ input: 3, read: 3_000, write1h: 0, write5m: 2_000 });
});

it("caches automatically up to the last cacheable block", () => {
  const bill = open();
  expect(bill("ab", { automatic: "1h" })).toMatchObject({ write1h: 2_000 });
  expect(bill("abc", { automatic: "1h" })).toMatchObject({ read: 2_000, write1h: 1_000 });
  expect(bill("abC", { automatic: "5m" })).toMatchObject({ read: 3_000 });
});

it("separates keys and models", () => {
  const bill = open();
  bill("A");
  expect(bill("A", { credential: "other" }).read).toBe(0);
  expect(bill("A", { model: modelOf("claude-opus-5-5") }).read).toBe(0);
});

describe("the shortest prefix", () => {
  it.each([
    ["claude-opus-5", 512],
    ["claude-fable-5-1", 512],
    ["claude-opus-4-8", 1_024],
    ["claude-sonnet-5", 1_024],
    ["claude-sonnet-4-6", 1_024],
    ["claude-opus-4-7", 2_048],
    ["claude-opus-4-6", 4_096],
    ["claude-haiku-4-5", 4_096],
  ])("of %s has %d tokens", (id, tokens) => {
    expect(minimumTokens(modelOf(id))).toBe(tokens);
  });

  it("is not cached if it is shorter, without an error", () => {
    const bill = open();
    expect(bill("abC", { model: modelOf("claude-opus-4-6") })).toEqual({
      input: 3_003,
      read: 0,
      write5m: 0,
      write1h: 0,
    });
    expect(bill("abcdE", { model: modelOf("claude-opus-4-6") })).toMatchObject({ write5m: 5_000 });
  });
});

describe("segments", () => {
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

  it("finds breakpoints with their lifetime, also inside results", () => {
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

  it("invalidates cached messages, but not tools and system, if tool choice or thinking changes", () => {
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

  it("counts signed thinking by its original size", () => {
    const body = { messages: [{ role: "user", content: [{ type: "thinking", thinking: "" }] }] };
    const messages = messagesIn(body);
    const [block] = messages[0]?.blocks ?? [];
    expect(totalTokens(segmentsOf({ body, messages, tokens: new Map([[block ?? {}, 500]]) }, world))).toBe(507);
  });
});

describe("usage", () => {
  const bill = { input: 10, read: 100, write5m: 20, write1h: 5 };

  it("reports the prompt in three figures and both lifetimes", () => {
    expect(usageOf(bill, { output: 7, thinking: 3 })).toEqual({
      input_tokens: 10,
      cache_creation_input_tokens: 25,
      cache_read_input_tokens: 100,
      cache_creation: { ephemeral_5m_input_tokens: 20, ephemeral_1h_input_tokens: 5 },
      output_tokens: 7,
      output_tokens_details: { thinking_tokens: 3 },
      server_tool_use: null,
      service_tier: "standard",
      inference_geo: "not_available",
    });
    expect(usageOf(bill, { output: 7, thinking: 0 })).not.toHaveProperty("output_tokens_details");
  });

  it("reports the same figures in a round and a bill", () => {
    expect(iterationOf("compaction", bill, 7)).toMatchObject({
      type: "compaction",
      input_tokens: 10,
      output_tokens: 7,
    });
    expect(billedOf(bill, 7)).toEqual({
      inputTokens: 10,
      cacheReadTokens: 100,
      cacheWriteTokens: 20,
      cacheWriteHourTokens: 5,
      outputTokens: 7,
    });
  });
});
