import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Schema } from "../../forms/schema.ts";
import {
  badgesOf,
  dropIndex,
  duplicateIds,
  duplicatePass,
  indexAfterMove,
  makePass,
  movePass,
  type Pass,
  passesOf,
  passName,
} from "./passes.ts";

const makePasses = (...ids: readonly string[]): readonly Pass[] => ids.map((id) => ({ id, name: id.toUpperCase() }));
const idsOf = (passes: readonly Pass[]) => passes.map(({ id }) => id);

const item: Schema = {
  oneOf: [
    { type: "object", properties: { id: {}, mode: { const: "cover" } }, required: ["id", "mode"] },
    {
      type: "object",
      properties: { id: {}, mode: { const: "batch" }, count: { type: "integer", default: 3 } },
      required: ["mode", "count"],
    },
  ],
};
const schema: Schema = { properties: { passes: { type: "array", items: item, default: [{ id: "given" }] } } };

describe("passesOf", () => {
  it("returns the passes of the configuration, or else the default ones", () => {
    expect(idsOf(passesOf({ passes: [{ id: "mine" }, 7] }, schema))).toEqual(["mine"]);
    expect(idsOf(passesOf({}, schema))).toEqual(["given"]);
    expect(passesOf({ passes: [] }, schema)).toEqual([]);
    expect(passesOf({}, {})).toEqual([]);
  });
});

describe("movePass", () => {
  it("moves a pass to another position", () => {
    expect(idsOf(movePass(makePasses("a", "b", "c"), 0, 2))).toEqual(["b", "c", "a"]);
    expect(idsOf(movePass(makePasses("a", "b", "c"), 2, 1))).toEqual(["a", "c", "b"]);
  });

  it("returns the same list when the position does not exist", () => {
    const passes = makePasses("a", "b");
    expect(movePass(passes, 0, -1)).toBe(passes);
    expect(movePass(passes, 1, 2)).toBe(passes);
    expect(movePass(passes, 5, 0)).toBe(passes);
  });

  it("is undone by moving the pass back", () => {
    const list = fc.uniqueArray(fc.string(), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(list, fc.nat(7), fc.nat(7), (ids, from, to) => {
        fc.pre(from < ids.length && to < ids.length);
        const moved = movePass(makePasses(...ids), from, to);
        expect(moved[to]?.id).toBe(ids[from]);
        expect(idsOf(movePass(moved, to, from))).toEqual(ids);
      }),
    );
  });
});

describe("indexAfterMove", () => {
  it("returns the new index of every pass", () => {
    const index = fc.nat(6);
    fc.assert(
      fc.property(index, index, index, (at, from, to) => {
        const passes = makePasses("a", "b", "c", "d", "e", "f", "g");
        expect(movePass(passes, from, to)[indexAfterMove(at, from, to)]).toBe(passes[at]);
      }),
    );
  });
});

describe("dropIndex", () => {
  it.each([
    [0, 2, true, 2],
    [0, 2, false, 1],
    [2, 0, false, 0],
    [2, 0, true, 1],
    [1, 1, true, 1],
    [1, 1, false, 1],
  ])("of pass %i over pass %i, below its middle: %s, is %i", (from, over, isBelow, index) => {
    expect(dropIndex(from, over, isBelow)).toBe(index);
  });
});

describe("duplicatePass", () => {
  it("inserts a copy with a unique ID after the pass", () => {
    const twice = duplicatePass(makePasses("a", "b"), 0);
    expect(idsOf(twice)).toEqual(["a", "a-2", "b"]);
    expect(twice[1]?.name).toBe("A (copy)");
    expect(idsOf(duplicatePass(twice, 1))).toEqual(["a", "a-2", "a-3", "b"]);
    expect(duplicatePass(twice, 9)).toBe(twice);
  });

  it("never makes two passes with the same ID", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(5), { minLength: 1, maxLength: 20 }), (places) => {
        const passes = places.reduce(
          (before, place) => duplicatePass(before, place % before.length),
          makePasses("a", "a-2"),
        );
        expect(duplicateIds(passes)).toEqual([]);
      }),
    );
  });
});

describe("makePass", () => {
  it("fills in the defaults of its mode", () => {
    expect(makePass("batch", item, [])).toEqual({
      mode: "batch",
      count: 3,
      id: "batch-pass",
      name: "New batch pass",
    });
    expect(makePass("cover", item, makePasses("cover-pass")).id).toBe("cover-pass-2");
    expect(makePass("unknown", item, []).name).toBe("New pass");
  });
});

describe("duplicateIds", () => {
  it("returns every pass whose ID is not unique", () => {
    expect(duplicateIds(makePasses("a", "b", "a"))).toEqual([0, 2]);
    expect(duplicateIds(makePasses("a", "b"))).toEqual([]);
  });
});

describe("badgesOf", () => {
  it("describes operations, selection and condition", () => {
    const pass = {
      mode: "individual",
      selection: { type: "preserve_recent", keepRecentCount: 4 },
      execution: { type: "conditional", condition: { tokenThreshold: 500, windowPercent: 60 } },
      individualConfig: { defaults: { messageText: { operation: "keep" }, toolResults: { operation: "truncate" } } },
    };
    expect(badgesOf(pass)).toEqual({
      mode: "individual",
      condition: "over 500 tokens and over 60% of the window",
      selection: "all but the newest 4",
      operations: "truncate results",
    });
  });

  it("describes the other modes and selections", () => {
    const batch = { mode: "batch", selection: { type: "preserve_percent" }, batchConfig: { operation: "summarize" } };
    expect(badgesOf(batch)).toMatchObject({ selection: "all but the newest 30%", operations: "summarize" });
    const custom = { mode: "cover", selection: { type: "custom" }, execution: { type: "conditional" } };
    expect(badgesOf(custom)).toEqual({
      mode: "cover",
      condition: "conditional",
      selection: "custom selection",
      operations: "",
    });
    expect(badgesOf({})).toEqual({ mode: "no mode", condition: "always", selection: "", operations: "" });
  });
});

describe("passName", () => {
  it("returns the name, or a placeholder for a blank one", () => {
    expect(passName({ name: "Mine" })).toBe("Mine");
    expect(passName({ name: " " })).toBe("Unnamed pass");
    expect(passName(undefined)).toBe("Unnamed pass");
  });
});
