import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { interpolate } from "./interpolate.ts";

describe("interpolate", () => {
  it("replaces variables in every string", () => {
    const value = { a: "key ${KEY}", list: ["${KEY}", 1, null, true], deep: { b: "${ABSENT:-fallback}" } };
    expect(interpolate(value, { KEY: "secret" })).toEqual({
      value: { a: "key secret", list: ["secret", 1, null, true], deep: { b: "fallback" } },
      missing: [],
    });
  });

  it("lists every unset or empty variable with its path", () => {
    expect(interpolate({ upstreams: { x: { apiKey: "${NONE}" } }, list: ["${EMPTY}"] }, { EMPTY: "" }).missing).toEqual(
      [
        { path: "upstreams.x.apiKey", name: "NONE" },
        { path: "list.0", name: "EMPTY" },
      ],
    );
  });

  it("accepts an empty default", () => {
    expect(interpolate("[${NONE:-}]", {})).toEqual({ value: "[]", missing: [] });
  });

  it("leaves values without variables unchanged", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        fc.pre(!JSON.stringify(value).includes("$"));
        expect(interpolate(value, {}).value).toEqual(value);
      }),
    );
  });
});
