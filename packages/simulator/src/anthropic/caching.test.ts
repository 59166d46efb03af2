import { findModel, loadCatalog } from "@longhaul/models/catalog";
import { describe, expect, it } from "vitest";
import { makeWorld } from "../core/make-world.ts";
import { billPrompt, type CacheRequest, minimumTokens } from "./caching.ts";
import type { Segment } from "./segments.ts";

const catalog = loadCatalog();
const modelOf = (id: string) => findModel(catalog, id, "anthropic").model;
const model = modelOf("claude-opus-5");

/** Segments of 1,000 tokens each, named by letters; a capital letter is a breakpoint, `!` before it makes it last an hour. */
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

it("writes up to the last breakpoint, then reads it and writes what is new", () => {
  const bill = open();
  expect(bill("abCd")).toEqual({ input: 1_003, read: 0, write5m: 3_000, write1h: 0 });
  expect(bill("abcdeF")).toEqual({ input: 3, read: 3_000, write5m: 3_000, write1h: 0 });
  expect(bill("abcdeF")).toEqual({ input: 3, read: 6_000, write5m: 0, write1h: 0 });
});

it("reads the longest prefix that is the same", () => {
  const bill = open();
  bill("aBcD");
  expect(bill("aBxD")).toEqual({ input: 3, read: 2_000, write5m: 2_000, write1h: 0 });
  expect(bill("xBcD")).toMatchObject({ read: 0, write5m: 4_000 });
});

it("looks back twenty blocks from a breakpoint and no further", () => {
  const bill = open();
  bill("A");
  const letters = "abcdefghijklmnopqrstuvwxyz";
  expect(bill(`${letters.slice(0, 19)}T`)).toMatchObject({ read: 1_000 });
  const other = open();
  other("A");
  expect(other(`${letters.slice(0, 20)}U`)).toMatchObject({ read: 0 });
});

it("forgets after five minutes and after an hour, counted from the last use", () => {
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

it("bills the hour's part apart from the minutes' part", () => {
  const bill = open();
  expect(bill("!AbC")).toEqual({ input: 3, read: 0, write1h: 1_000, write5m: 2_000 });
  expect(bill("!AbCdE")).toEqual({ input: 3, read: 3_000, write1h: 0, write5m: 2_000 });
});

it("caches automatically up to the last block that can be cached", () => {
  const bill = open();
  expect(bill("ab", { automatic: "1h" })).toMatchObject({ write1h: 2_000 });
  expect(bill("abc", { automatic: "1h" })).toMatchObject({ read: 2_000, write1h: 1_000 });
  expect(bill("abC", { automatic: "5m" })).toMatchObject({ read: 3_000 });
});

it("keeps keys and models apart", () => {
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

  it("is not written where it is shorter, without an error", () => {
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
