import { describe, expect, it } from "vitest";
import { decodeDetailLevel, decodeFormat, decodeMark, encodeMark, encodeSchema } from "./shape.ts";

describe("decodeFormat and encodeSchema", () => {
  it("decode and encode an output format", () => {
    const value = { name: "answer", schema: { type: "object" }, strict: true };
    const format = decodeFormat("json_schema", value);
    expect(format).toEqual({ kind: "json-schema", ...value });
    expect(format?.kind === "json-schema" && encodeSchema(format)).toEqual(value);
    expect(encodeSchema({ kind: "json-schema", schema: {} })).toEqual({ name: "reply", schema: {} });
    expect(decodeFormat("json_object", undefined)).toEqual({ kind: "json" });
    expect(decodeFormat("grammar", {})).toBeUndefined();
  });
});

describe("cache marks", () => {
  it("are decoded from both fields", () => {
    expect(decodeMark({ cache_control: { type: "ephemeral", ttl: "1h" } })).toEqual({ ttl: "1h" });
    expect(decodeMark({ cache_control: { type: "ephemeral" } })).toEqual({});
    expect(decodeMark({ prompt_cache_breakpoint: { mode: "explicit" } })).toEqual({});
    expect(decodeMark({ cache_control: null })).toBeUndefined();
  });

  it("are encoded in the destination's field", () => {
    const mark = { ttl: "1h" as const };
    expect(encodeMark(mark, { cacheMarks: "cache_control" })).toEqual({
      cache_control: { type: "ephemeral", ttl: "1h" },
    });
    expect(encodeMark(mark, { cacheMarks: "prompt_cache_breakpoint" })).toEqual({
      prompt_cache_breakpoint: { mode: "explicit" },
    });
    expect(encodeMark(mark, { cacheMarks: "none" })).toEqual({});
    expect(encodeMark(mark, {})).toEqual({});
    expect(encodeMark(undefined, { cacheMarks: "cache_control" })).toEqual({});
  });
});

describe("decodeDetailLevel", () => {
  it("decodes four levels", () => {
    expect(["low", "high", "auto", "original", "very", null].map(decodeDetailLevel)).toEqual([
      { detail: "low" },
      { detail: "high" },
      { detail: "auto" },
      { detail: "original" },
      {},
      {},
    ]);
  });
});
