import { describe, expect, it } from "vitest";
import { type CacheRule, type Piece, totalOf, useCache } from "./automatic-caching.ts";
import { makeWorld } from "./world.ts";

const rule: CacheRule = { scope: "key/model", minimumTokens: 1_024, stepTokens: 128, ttlMs: 60_000, isExplicit: false };

function open(clock = { ms: 0 }) {
  const world = makeWorld({ now: () => clock.ms });
  const text = (value: string, more: Partial<Piece> = {}): Piece => ({
    text: value,
    tokens: world.tokenizer.count(value),
    isText: true,
    ...more,
  });
  return {
    text,
    use: (pieces: readonly Piece[], more: Partial<CacheRule> = {}) => useCache(pieces, { ...rule, ...more }, world),
  };
}
const long = "word ".repeat(3_000);

it("reads nothing at first, then every multiple of the step", () => {
  const { text, use } = open();
  const pieces = [text(long), text("question one")];
  const floor = Math.floor(totalOf(pieces) / 128) * 128;
  expect(use(pieces)).toEqual({ read: 0, written: floor });
  expect(use(pieces)).toEqual({ read: floor, written: 0 });
});

it("reads up to the first difference, also inside a text", () => {
  const { text, use } = open();
  use([text(long)]);
  const half = long.slice(0, long.length / 2);
  const { read } = use([text(`${half}${"other ".repeat(3_000)}`)]);
  const same = text(half).tokens;
  expect(read).toBeGreaterThan(same - 130);
  expect(read).toBeLessThanOrEqual(same);
});

it("reads the common prefix when text is appended, in any pieces", () => {
  const { text, use } = open();
  const { written } = use([text(long)]);
  expect(use([text(long.slice(0, 5_000)), text(long.slice(5_000)), text(long)]).read).toBeGreaterThanOrEqual(
    written - 128,
  );
});

it("does not cache short prompts", () => {
  const { text, use } = open();
  const pieces = [text("word ".repeat(800))];
  expect(totalOf(pieces)).toBeLessThan(1_024);
  expect([use(pieces), use(pieces)]).toEqual([
    { read: 0, written: 0 },
    { read: 0, written: 0 },
  ]);
});

it("counts pieces with fixed sizes to their end", () => {
  const { text, use } = open();
  const image: Piece = { text: "bytes", tokens: 1_500, isText: false };
  expect(use([image, text("which one?")])).toEqual({ read: 0, written: 1_408 });
  expect(use([image, text("and this?")]).read).toBe(1_408);
  expect(use([{ ...image, text: "other" }, text("and this?")]).read).toBe(0);
});

describe("a cached prefix", () => {
  it("expires unless it is used", () => {
    const clock = { ms: 0 };
    const { text, use } = open(clock);
    use([text(long)]);
    clock.ms = 50_000;
    expect(use([text(long)]).read).toBeGreaterThan(0);
    clock.ms = 100_000;
    expect(use([text(long.slice(0, 10_000))]).read).toBeGreaterThan(0);
    clock.ms = 170_000;
    expect(use([text(long)]).read).toBe(0);
  });

  it("belongs to its scope", () => {
    const { text, use } = open();
    use([text(long)]);
    expect(use([text(long)], { scope: "other" }).read).toBe(0);
  });

  it("ends at the last breakpoint if the client sets them", () => {
    const { text, use } = open();
    const pieces = [text(long, { isBreakpoint: true }), text(long)];
    const { written } = use(pieces, { isExplicit: true });
    expect(written).toBe(Math.floor(text(long).tokens / 128) * 128);
    expect(use([text(long)], { isExplicit: true })).toEqual({ read: written, written: 0 });
  });
});
