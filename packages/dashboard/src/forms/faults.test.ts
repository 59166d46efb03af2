import { describe, expect, it } from "vitest";
import { faultsOf } from "./faults.ts";
import type { Json, Schema } from "./schema.ts";

const pass: Schema = {
  type: "object",
  properties: {
    id: { type: "string", pattern: "^[a-z]+$" },
    name: { type: "string", minLength: 1 },
    share: { type: "number", minimum: 0, maximum: 1 },
    count: { type: "integer", exclusiveMinimum: 0 },
    isOn: { type: "boolean" },
    mode: { type: "string", enum: ["keep", "drop"] },
    roles: { type: "array", items: { type: "string" }, minItems: 1 },
    when: { oneOf: [{ type: "object", properties: { type: { const: "a" }, n: { type: "integer" } } }] },
  },
  required: ["id"],
  additionalProperties: false,
};

describe("faultsOf", () => {
  it("accepts valid and absent values", () => {
    const valid = {
      id: "a",
      share: 0.5,
      count: 1,
      isOn: true,
      mode: "keep",
      roles: ["user"],
      when: { type: "a", n: 1 },
    };
    expect(faultsOf(pass, valid)).toEqual([]);
    expect(faultsOf(pass, undefined)).toEqual([]);
  });

  it.each<[Json, string, string]>([
    [{}, "id", "is required"],
    [{ id: "A" }, "id", "must match ^[a-z]+$"],
    [{ id: "a", name: "" }, "name", "must not be empty"],
    [{ id: "a", share: 2 }, "share", "must be at most 1"],
    [{ id: "a", share: -1 }, "share", "must be at least 0"],
    [{ id: "a", share: "x" }, "share", "must be a number"],
    [{ id: "a", count: 0 }, "count", "must be more than 0"],
    [{ id: "a", count: 1.5 }, "count", "must be a whole number"],
    [{ id: "a", isOn: 1 }, "isOn", "must be true or false"],
    [{ id: "a", mode: "x" }, "mode", "must be one of keep, drop"],
    [{ id: "a", roles: [] }, "roles", "needs at least 1 item"],
    [{ id: "a", roles: [1] }, "roles.0", "must be a string"],
    [{ id: "a", roles: {} }, "roles", "must be a list"],
    [{ id: "a", when: { type: "a", n: 0.5 } }, "when.n", "must be a whole number"],
    [{ id: "a", other: 1 }, "other", "is not a known setting"],
    ["text", "", "must be an object"],
  ])("reports for %j that %j %s", (value, path, message) => {
    expect(faultsOf(pass, value).map((fault) => [fault.path.join("."), fault.message])).toContainEqual([path, message]);
  });

  it("reports the expected constant", () => {
    expect(faultsOf({ const: "a" }, "b")).toEqual([{ path: [], message: "must be a" }]);
    expect(faultsOf({}, "b")).toEqual([]);
  });
});
