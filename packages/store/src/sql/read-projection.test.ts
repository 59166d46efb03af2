import { describe, expect, it } from "vitest";
import { makeOldProjection, makeProjection } from "../testing/make.ts";
import { readProjection } from "./read-projection.ts";

describe("readProjection", () => {
  it("reads what was written", () => {
    expect(readProjection(JSON.stringify(makeProjection()))).toEqual(makeProjection());
  });

  it.each([
    ["of another version", JSON.stringify(makeOldProjection())],
    ["without messages", JSON.stringify({ ...makeProjection(), messages: undefined })],
    ["with half a message", JSON.stringify({ ...makeProjection(), messages: 1.5 })],
    ["without entries", JSON.stringify({ ...makeProjection(), entries: {} })],
    ["that is null", "null"],
    ["that is cut off", '{"version": 1, "mess'],
  ])("finds none in one %s", (_, json) => {
    expect(readProjection(json)).toBeUndefined();
  });
});
