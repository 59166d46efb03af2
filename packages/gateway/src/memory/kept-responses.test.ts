import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type KeepOptions, KeptResponses } from "./kept-responses.ts";

const HOUR_MS = 60 * 60 * 1_000;

function makeKept(options: Partial<KeepOptions> = {}) {
  let now = 0;
  const kept = new KeptResponses({ nowMs: () => now, ...options });
  return {
    keep: kept.keep.bind(kept),
    history: kept.history.bind(kept),
    find: kept.find.bind(kept),
    findItem: kept.findItem.bind(kept),
    remove: kept.remove.bind(kept),
    wait: (ms: number) => (now += ms),
  };
}

const item = (id: string) => ({ id, type: "message" });
/** Makes a response whose last item is its output. */
const made = (items: object[]) => ({
  response: { object: "response" },
  input: items.slice(0, -1) as [],
  output: items.slice(-1) as [],
});

describe("stored responses", () => {
  it("form a history from the first response to the named one", () => {
    const { keep, history } = makeKept();
    keep("o", "r1", { ...made([item("a"), item("b")]), bytes: 1 });
    keep("o", "r2", { ...made([item("c")]), previous: "r1", bytes: 1 });
    keep("o", "r3", { ...made([item("d")]), previous: "r1", bytes: 1 });
    expect(history("o", "r2")).toEqual([item("a"), item("b"), item("c")]);
    expect(history("o", "r3")).toEqual([item("a"), item("b"), item("d")]);
  });

  it("are visible only to their owner", () => {
    const { keep, history, findItem } = makeKept();
    keep("o", "r1", { ...made([item("a")]), bytes: 1 });
    expect([history("other", "r1"), findItem("other", "a")]).toEqual([undefined, undefined]);
    expect(findItem("o", "a")).toEqual(item("a"));
  });

  it("expire a day after the last use, the history with its last response", () => {
    const { keep, history, findItem, wait } = makeKept();
    keep("o", "r1", { ...made([item("a")]), bytes: 1 });
    wait(20 * HOUR_MS);
    keep("o", "r2", { ...made([item("b")]), previous: "r1", bytes: 1 });
    expect(history("o", "r2")).toHaveLength(2);
    wait(23 * HOUR_MS);
    expect(history("o", "r2")).toHaveLength(2);
    wait(24 * HOUR_MS);
    expect([history("o", "r2"), findItem("o", "b")]).toEqual([undefined, undefined]);
  });

  it("are found in full until they are removed", () => {
    const { keep, find, findItem, remove, history } = makeKept();
    const kept = { ...made([item("a"), item("b")]), bytes: 1 };
    keep("o", "r1", kept);
    keep("o", "r2", { ...made([item("b"), item("c")]), previous: "r1", bytes: 1 });
    expect([find("o", "r1"), find("other", "r1")]).toMatchObject([kept, undefined]);
    remove("other", "r1");
    remove("o", "r1");
    remove("o", "never kept");
    expect([find("o", "r1"), findItem("o", "a"), history("o", "r2")]).toEqual([undefined, undefined, undefined]);
    expect([findItem("o", "b"), findItem("o", "c")]).toEqual([item("b"), item("c")]);
  });

  it("evict the least recently used", () => {
    const { keep, history } = makeKept({ maxResponses: 2 });
    keep("o", "r1", { ...made([]), bytes: 1 });
    keep("o", "r2", { ...made([]), bytes: 1 });
    history("o", "r1");
    keep("o", "r3", { ...made([]), bytes: 1 });
    expect([history("o", "r1"), history("o", "r2"), history("o", "r3")]).toEqual([[], undefined, []]);
  });

  it("have no history if a part is missing", () => {
    const { keep, history } = makeKept({ maxBytes: 10 });
    keep("o", "r1", { ...made([item("a")]), bytes: 6 });
    keep("o", "r2", { ...made([item("b")]), previous: "r1", bytes: 6 });
    expect(history("o", "r2")).toBeUndefined();
  });

  it("count once if stored again", () => {
    const { keep, history } = makeKept({ maxBytes: 10 });
    for (let turn = 0; turn < 5; turn++) keep("o", "r1", { ...made([item("a")]), bytes: 6 });
    expect(history("o", "r1")).toEqual([item("a")]);
  });

  it("never exceed the limits", () => {
    const step = fc.record({ id: fc.integer({ min: 0, max: 30 }), bytes: fc.integer({ min: 0, max: 40 }) });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const { keep, history } = makeKept({ maxBytes: 100, maxResponses: 5 });
        const sizes = new Map<string, number>();
        for (const { id, bytes } of steps) {
          keep("o", `r${id}`, { ...made([item(`i${id}`)]), bytes });
          sizes.set(`r${id}`, bytes);
        }
        const left = [...sizes].filter(([id]) => history("o", id) !== undefined);
        expect(left.length).toBeLessThanOrEqual(5);
        expect(left.reduce((sum, [, bytes]) => sum + bytes, 0)).toBeLessThanOrEqual(100);
      }),
    );
  });
});
