import { pureHash } from "@longhaul/conversation/advanced";
import { describe, expect, it, vi } from "vitest";
import type { Size } from "./measure.ts";
import { makeSizeCache, type SizeCache } from "./size-cache.ts";

const SIZES: readonly Size[] = [{ text: 3, fixed: 1 }];

/** Looks up a thing by its own text, and returns whether it had to be measured. */
function isMeasured(cache: SizeCache, thing: { readonly text: string }): boolean {
  const measure = vi.fn(() => SIZES);
  expect(cache.get(thing, (hash) => hash(thing.text), measure)).toBe(SIZES);
  return measure.mock.calls.length > 0;
}

it("measures an object once", () => {
  const cache = makeSizeCache();
  const thing = { text: "a" };
  expect([isMeasured(cache, thing), isMeasured(cache, thing)]).toEqual([true, false]);
});

it("measures equal objects separately without a hash", () => {
  const cache = makeSizeCache();
  expect([isMeasured(cache, { text: "a" }), isMeasured(cache, { text: "a" })]).toEqual([true, true]);
  expect(cache.find(pureHash("a"))).toBeUndefined();
});

describe("with a hash", () => {
  it("recognizes things by their content", () => {
    const cache = makeSizeCache({ hash: pureHash });
    expect([isMeasured(cache, { text: "a" }), isMeasured(cache, { text: "a" })]).toEqual([true, false]);
    expect(cache.find(pureHash("a"))).toBe(SIZES);
  });

  it("evicts the least recently used", () => {
    const cache = makeSizeCache({ hash: pureHash, maxBlocks: 2 });
    const measured = ["a", "b", "a", "c", "a", "b"].map((text) => isMeasured(cache, { text }));
    expect(measured).toEqual([true, true, false, true, false, true]);
  });

  it("counts a lookup by hash as a use", () => {
    const cache = makeSizeCache({ hash: pureHash, maxBlocks: 2 });
    for (const text of ["a", "b"]) isMeasured(cache, { text });
    cache.find(pureHash("a"));
    isMeasured(cache, { text: "c" });
    expect([cache.find(pureHash("a")), cache.find(pureHash("b"))]).toEqual([SIZES, undefined]);
  });

  it("evicts messages without blocks as well", () => {
    const cache = makeSizeCache({ hash: pureHash, maxBlocks: 2 });
    const none: Size[] = [];
    const keep = (key: string) =>
      cache.get(
        {},
        () => key,
        () => none,
      );
    for (const key of ["a", "b", "c"]) keep(key);
    expect(["a", "b", "c"].map(cache.find)).toEqual([undefined, none, none]);
  });

  it("limits blocks, not messages, so that large messages evict many small ones", () => {
    const cache = makeSizeCache({ hash: pureHash, maxBlocks: 3 });
    for (const text of ["a", "b", "c"]) isMeasured(cache, { text });
    const large = [...SIZES, ...SIZES];
    cache.get(
      {},
      () => "large",
      () => large,
    );
    expect(["a", "b", "c"].map((text) => cache.find(pureHash(text)))).toEqual([undefined, undefined, SIZES]);
    cache.get(
      {},
      () => "too large",
      () => [...large, ...large],
    );
    expect([cache.find("large"), cache.find("too large"), cache.find(pureHash("c"))]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(isMeasured(cache, { text: "d" })).toBe(true);
    expect(cache.find(pureHash("d"))).toBe(SIZES);
  });
});
