import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { interpolate } from "./interpolate.ts";

describe("interpolate", () => {
  it("fills in variables wherever a string stands", () => {
    const value = { a: "key ${KEY}", list: ["${KEY}", 1, null, true], deep: { b: "${ABSENT:-fallback}" } };
    expect(interpolate(value, { KEY: "secret" })).toEqual({
      value: { a: "key secret", list: ["secret", 1, null, true], deep: { b: "fallback" } },
      missing: [],
    });
  });

  it("names every variable that is not set, with its place; set but empty counts as not set", () => {
    expect(interpolate({ upstreams: { x: { apiKey: "${NONE}" } }, list: ["${EMPTY}"] }, { EMPTY: "" }).missing).toEqual(
      [
        { path: "upstreams.x.apiKey", name: "NONE" },
        { path: "list.0", name: "EMPTY" },
      ],
    );
  });

  it("takes an empty default for what it is", () => {
    expect(interpolate("[${NONE:-}]", {})).toEqual({ value: "[]", missing: [] });
  });

  it("leaves values without variables as they are", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        fc.pre(!JSON.stringify(value).includes("$"));
        expect(interpolate(value, {}).value).toEqual(value);
      }),
    );
  });
});
