import { describe, expect, it } from "vitest";
import { changesOf, sectionSchema, withFields } from "./sections.tsx";

describe("sectionSchema", () => {
  it("builds the schema of a section from the specs of its settings", () => {
    const settings = [
      makeSpec("upstreams.*.kind", { type: "string" }),
      makeSpec("upstreams.*.timeouts.idleSeconds", { type: "number" }),
      makeSpec("profiles.*.model", { type: "string" }),
    ];
    expect(sectionSchema({ settings }, "upstreams")).toEqual({
      type: "object",
      properties: {
        kind: { type: "string", description: "help" },
        timeouts: { type: "object", properties: { idleSeconds: { type: "number", description: "help" } } },
      },
    });
  });
});

describe("withFields", () => {
  it("keeps the listed fields and those that are set", () => {
    const schema = { type: "object", properties: { kind: {}, region: {}, apiKey: {}, project: {} } };
    expect(withFields(schema, ["kind", "apiKey"], { region: "eu" })).toEqual({
      type: "object",
      properties: { kind: {}, region: {}, apiKey: {} },
    });
  });
});

describe("changesOf", () => {
  it("returns new and changed values, and null for removed ones", () => {
    const before = { kind: "openai", window: 5, headers: { a: "1" } };
    expect(changesOf(before, { kind: "openai", headers: { a: "2" }, region: "eu" })).toEqual({
      window: null,
      headers: { a: "2" },
      region: "eu",
    });
  });

  it("returns nothing when nothing changed", () => {
    expect(changesOf({ a: 1 }, { a: 1 })).toEqual({});
    expect(changesOf(undefined, undefined)).toEqual({});
  });
});

function makeSpec(path: string, schema: object) {
  return { path, group: "", help: "help", schema: { ...schema }, isSecret: false, needsRestart: false };
}
