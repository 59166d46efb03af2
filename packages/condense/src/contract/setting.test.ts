import { describe, expect, it } from "vitest";
import {
  choice,
  fields,
  filledText,
  flag,
  listOf,
  numberBetween,
  oneOf,
  optionalSetting,
  refined,
  type SettingSchema,
  setting,
  settingGroup,
  text,
  textMatching,
  wholeNumber,
} from "./setting.ts";

const limits = fields({ most: setting(wholeNumber(1, 9), 5) });
const schema = fields({
  name: filledText,
  mode: setting(choice(["fast", "slow"]), "fast"),
  note: optionalSetting(text),
  limits: settingGroup(limits),
});

describe("a schema of settings", () => {
  it("fills in defaults and leaves out what has none", () => {
    expect(schema.check({ name: " a ", note: undefined })).toEqual({
      value: { name: "a", mode: "fast", limits: { most: 5 } },
    });
  });

  it("names every invalid field and every unknown one", () => {
    const given = { mode: "medium", note: 1, limits: { most: 10 }, other: 1, constructor: 2 };
    expect(schema.check(given).issues).toEqual([
      { path: ["name"], message: "is required" },
      { path: ["mode"], message: 'must be one of fast, slow, not "medium"' },
      { path: ["note"], message: "must be a string" },
      { path: ["limits", "most"], message: "must be at most 9, not 10" },
      { path: [], message: "has unknown fields: other, constructor" },
    ]);
  });

  it("is also JSON Schema", () => {
    expect(schema["~standard"].jsonSchema?.input({ target: "draft-2020-12" })).toEqual({
      type: "object",
      properties: {
        name: { type: "string", minLength: 1 },
        mode: { type: "string", enum: ["fast", "slow"], default: "fast" },
        note: { type: "string" },
        limits: {
          type: "object",
          properties: { most: { type: "integer", minimum: 1, maximum: 9, default: 5 } },
          additionalProperties: false,
          default: {},
        },
      },
      required: ["name"],
      additionalProperties: false,
    });
  });

  it("chooses a variant by its tag", () => {
    const shape = oneOf("kind", {
      circle: { radius: numberBetween(0, 5) },
      point: {},
    });
    expect(shape.check({ kind: "circle", radius: 2.5 })).toEqual({ value: { kind: "circle", radius: 2.5 } });
    expect(shape.check({ kind: "point", radius: 1 }).issues).toEqual([
      { path: [], message: "has unknown fields: radius" },
    ]);
    expect(shape.check({ kind: "toString" }).issues).toEqual([
      { path: ["kind"], message: 'must be one of circle, point, not "toString"' },
    ]);
    expect(shape.check({}).issues).toEqual([{ path: ["kind"], message: "must be one of circle, point" }]);
  });
});

it.each<[string, SettingSchema, unknown, string]>([
  ["a text for a list", listOf(text), "a", "must be a list"],
  ["an empty list", listOf(text, 1), [], "must not be empty"],
  ["an item of another type", listOf(flag), [true, 1], "1: must be true or false"],
  ["a fraction", wholeNumber(0), 1.5, "must be a whole number"],
  ["a number that is too small", wholeNumber(2), 1, "must be at least 2, not 1"],
  ["a value that is not a number", numberBetween(0, 1), Number.NaN, "must be a number"],
  ["a blank text", filledText, " ", "must not be empty"],
  ["a number for a text", filledText, 1, "must be a string"],
  ["a text that does not match", textMatching(/^a$/, "use a"), "b", "use a"],
  ["a value that breaks a rule", refined(text, () => "no"), "a", "no"],
  ["a list for an object", fields({}), [], "must be an object"],
  ["null for a group", settingGroup(limits), null, "must be an object"],
  ["a list for a variant", oneOf("kind", { a: {} }), [], "must be an object"],
  ["another value than the only one", choice([1]), 2, "must be 1"],
])("rejects %s", (_, checked, value, message) => {
  const { issues = [] } = checked.check(value);
  expect(issues.map(({ path, message }) => [...path, message].join(": "))).toEqual([message]);
});
