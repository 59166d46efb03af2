import { pureHash } from "@longhaul/conversation";
import { describe, expect, it, vi } from "vitest";
import type { Size } from "./measure.ts";
import { makeSizeMemory, type SizeMemory } from "./size-memory.ts";

const SIZES: readonly Size[] = [{ text: 3, fixed: 1 }];

/** Recalls a thing that is spelled by its own text, and says whether it had to be measured. */
function isMeasured(memory: SizeMemory, thing: { readonly text: string }): boolean {
  const measure = vi.fn(() => SIZES);
  expect(memory.recall(thing, (hash) => hash(thing.text), measure)).toBe(SIZES);
  return measure.mock.calls.length > 0;
}

it("measures an object once", () => {
  const memory = makeSizeMemory();
  const thing = { text: "a" };
  expect([isMeasured(memory, thing), isMeasured(memory, thing)]).toEqual([true, false]);
});

it("takes equal objects for different ones without a hash", () => {
  const memory = makeSizeMemory();
  expect([isMeasured(memory, { text: "a" }), isMeasured(memory, { text: "a" })]).toEqual([true, true]);
  expect(memory.find(pureHash("a"))).toBeUndefined();
});

describe("with a hash", () => {
  it("knows what it has measured by what it says", () => {
    const memory = makeSizeMemory({ hash: pureHash });
    expect([isMeasured(memory, { text: "a" }), isMeasured(memory, { text: "a" })]).toEqual([true, false]);
    expect(memory.find(pureHash("a"))).toBe(SIZES);
  });

  it("forgets what was unused for longest", () => {
    const memory = makeSizeMemory({ hash: pureHash, maxBlocks: 2 });
    const measured = ["a", "b", "a", "c", "a", "b"].map((text) => isMeasured(memory, { text }));
    expect(measured).toEqual([true, true, false, true, false, true]);
  });

  it("takes a look-up by hash for a use", () => {
    const memory = makeSizeMemory({ hash: pureHash, maxBlocks: 2 });
    for (const text of ["a", "b"]) isMeasured(memory, { text });
    memory.find(pureHash("a"));
    isMeasured(memory, { text: "c" });
    expect([memory.find(pureHash("a")), memory.find(pureHash("b"))]).toEqual([SIZES, undefined]);
  });

  it("forgets messages without blocks as well", () => {
    const memory = makeSizeMemory({ hash: pureHash, maxBlocks: 2 });
    const none: Size[] = [];
    const keep = (spelled: string) =>
      memory.recall(
        {},
        () => spelled,
        () => none,
      );
    for (const spelled of ["a", "b", "c"]) keep(spelled);
    expect(["a", "b", "c"].map(memory.find)).toEqual([undefined, none, none]);
  });

  it("bounds blocks, not messages, so that large messages push out many small ones", () => {
    const memory = makeSizeMemory({ hash: pureHash, maxBlocks: 3 });
    for (const text of ["a", "b", "c"]) isMeasured(memory, { text });
    const large = [...SIZES, ...SIZES];
    memory.recall(
      {},
      () => "large",
      () => large,
    );
    expect(["a", "b", "c"].map((text) => memory.find(pureHash(text)))).toEqual([undefined, undefined, SIZES]);
    memory.recall(
      {},
      () => "too large",
      () => [...large, ...large],
    );
    expect([memory.find("large"), memory.find("too large"), memory.find(pureHash("c"))]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(isMeasured(memory, { text: "d" })).toBe(true);
    expect(memory.find(pureHash("d"))).toBe(SIZES);
  });
});
