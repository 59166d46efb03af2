import { describe, expect, it } from "vitest";
import { extraFields, listAt, numberAt, objectAt, textAt, timeAt, tokensAt } from "./fields.ts";

const object = { text: "", number: 0, bad: "x", list: [], object: {}, nothing: null, debt: -5 };

describe("the fields of a JSON object", () => {
  it("distinguish empty text, zero and empty lists from missing values", () => {
    expect([textAt(object, "text"), numberAt(object, "number"), listAt(object, "list")]).toEqual(["", 0, []]);
    expect(objectAt(object, "object")).toEqual({});
  });

  it("are undefined if the field has another type", () => {
    expect([textAt(object, "number"), numberAt(object, "bad"), listAt(object, "object")]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect([objectAt(object, "list"), objectAt(object, "nothing"), textAt(undefined, "text")]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it("return 0 tokens for a missing or negative count", () => {
    expect([tokensAt(object, "missing"), tokensAt(object, "bad"), tokensAt(object, "debt")]).toEqual([0, 0, 0]);
  });

  it("read times as dates and as milliseconds", () => {
    const times = { iso: "1970-01-01T00:00:01.500Z", ms: 1500, bad: "soon" };
    expect([timeAt(times, "iso"), timeAt(times, "ms"), timeAt(times, "bad")]).toEqual([1500, 1500, undefined]);
  });

  it("read the same time on every machine", () => {
    const hour = 3_600_000;
    const forms = {
      day: "1970-01-01",
      bare: "1970-01-01T01:00",
      east: "1970-01-01T01:00:00+01:00",
      month: "1970-13-01",
    };
    expect(Object.keys(forms).map((key) => timeAt(forms, key))).toEqual([0, hour, 0, undefined]);
    expect(timeAt({ words: "Jan 1 1970" }, "words")).toBeUndefined();
  });

  it("collect unknown fields", () => {
    expect(extraFields({ role: "user", name: "Ann" }, new Set(["role"]))).toEqual({ extra: { name: "Ann" } });
    expect(extraFields({ role: "user" }, new Set(["role"]))).toEqual({});
  });
});
