import { describe, expect, it } from "vitest";
import { makeSnapshot } from "./testing/snapshot.ts";

describe("openSnapshot", () => {
  it("opens the places of every upstream and closes them", async () => {
    const snapshot = makeSnapshot({ upstreams: { a: { kind: "anthropic" }, s: { kind: "simulator" } } });
    expect([...snapshot.handles].map(([id, handles]) => [id, handles.length])).toEqual([
      ["a", 1],
      ["s", 3],
    ]);
    await snapshot.close();
  });

  it("refuses corrections to the catalog that make no sense", () => {
    expect(() => makeSnapshot({ models: { "gpt-4o": { window: -1 } } })).toThrow(
      expect.objectContaining({ code: expect.stringMatching(/catalog.invalid|VALIDATION_ERROR/) }),
    );
  });
});
