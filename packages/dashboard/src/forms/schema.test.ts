import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  defaultOf,
  isJson,
  isRecord,
  isSchema,
  jsonIn,
  kindOf,
  otherVariant,
  type Schema,
  setAt,
  stage,
  variantOf,
  variantsOf,
  withExamples,
  wordsIn,
  writeJson,
} from "./schema.ts";

const when: Schema = {
  oneOf: [
    { type: "object", properties: { type: { type: "string", const: "always" } }, required: ["type"] },
    {
      type: "object",
      properties: { type: { type: "string", const: "conditional" }, tokens: { type: "integer", default: 5 } },
      required: ["type", "tokens"],
    },
  ],
};

describe("kindOf", () => {
  it.each<[Schema, string]>([
    [{ type: "boolean" }, "switch"],
    [{ type: "string", enum: ["a", "b"] }, "choice"],
    [{ type: "integer" }, "number"],
    [{ type: "string" }, "text"],
    [{ type: "object", properties: {} }, "group"],
    [{ type: "object" }, "json"],
    [{ type: "array", items: { type: "string", enum: ["a"] } }, "choices"],
    [{ type: "array", items: { type: "string" } }, "words"],
    [{ type: "array", items: { type: "object" } }, "list"],
    [{ type: "array" }, "json"],
    [when, "variants"],
    [{ anyOf: [{ type: "number" }, { type: "string" }] }, "json"],
  ])("returns the kind of field for %j: %s", (schema, kind) => {
    expect(kindOf(schema)).toBe(kind);
  });
});

describe("variantsOf", () => {
  it("identifies variants by their constant", () => {
    expect(variantsOf(when).map(({ name, value }) => [name, value])).toEqual([
      ["type", "always"],
      ["type", "conditional"],
    ]);
    expect(variantOf(when, { type: "conditional" })?.value).toBe("conditional");
    expect(variantOf(when, "nothing of the kind")?.value).toBe("always");
  });
});

describe("otherVariant", () => {
  const mode: Schema = {
    oneOf: [
      {
        type: "object",
        properties: { name: { type: "string" }, mode: { const: "batch" }, size: { type: "integer" } },
        required: ["mode"],
      },
      {
        type: "object",
        properties: { name: { type: "string" }, mode: { const: "single" }, deep: { type: "boolean" } },
        required: ["mode", "deep"],
      },
    ],
  };

  it("keeps shared properties and fills in defaults for the others", () => {
    const before = { name: "mine", mode: "batch", size: 3 };
    expect(otherVariant(mode, before, "single")).toEqual({ name: "mine", mode: "single", deep: false });
  });

  it("returns the value unchanged when the variant does not exist", () => {
    expect(otherVariant(mode, { mode: "batch" }, "nothing of the kind")).toEqual({ mode: "batch" });
    expect(otherVariant(mode, undefined, "batch")).toEqual({ mode: "batch" });
  });
});

describe("stage", () => {
  it("splits the fields into the named ones, in that order, and the others", () => {
    const schema: Schema = { type: "object", properties: { a: { type: "string" }, b: {}, c: { type: "number" } } };
    const { shown, hidden } = stage(schema, ["c", "a", "unknown"]);
    expect(Object.keys(shown.properties ?? {})).toEqual(["c", "a"]);
    expect(hidden.properties).toEqual({ b: {} });
  });

  it("returns no hidden fields for a schema without fields", () => {
    expect(stage({}, ["a"]).hidden.properties).toEqual({});
  });
});

describe("withExamples", () => {
  it("adds examples to texts of that name at any depth", () => {
    const profile: Schema = { type: "string", default: "" };
    const shape: Schema = { type: "object", properties: { profile, name: { type: "string" } } };
    const schema: Schema = { properties: { list: { type: "array", items: { oneOf: [shape] } }, profile } };
    const named = { ...profile, examples: ["cheap"] };
    const namedShape = { ...shape, properties: { ...shape.properties, profile: named } };
    expect(withExamples(schema, "profile", ["cheap"])).toEqual({
      properties: { list: { type: "array", items: { oneOf: [namedShape] } }, profile: named },
    });
  });

  it("leaves constants and other fields unchanged", () => {
    const schema: Schema = {
      type: "object",
      properties: { profile: { const: "a", type: "string" }, n: { type: "number" } },
    };
    expect(withExamples(schema, "profile", ["cheap"])).toEqual(schema);
  });
});

describe("defaultOf", () => {
  it.each<[Schema, unknown]>([
    [{ type: "integer", default: 0 }, 0],
    [{ const: "x" }, "x"],
    [{ type: "boolean" }, false],
    [{ type: "string", enum: ["a", "b"] }, "a"],
    [{ type: "array" }, []],
    [{ type: "string" }, undefined],
    [when, { type: "always" }],
    [when.oneOf?.[1] ?? {}, { type: "conditional", tokens: 5 }],
  ])("returns the default for %j: %j", (schema, value) => {
    expect(defaultOf(schema)).toEqual(value);
  });
});

describe("setAt", () => {
  it("changes only the value at the path", () => {
    const value = { a: { b: [1, { c: 2 }] }, d: 3 };
    expect(setAt(value, ["a", "b", 1, "c"], 9)).toEqual({ a: { b: [1, { c: 9 }] }, d: 3 });
    expect(setAt(value, ["a", "b", 0], undefined)).toEqual({ a: { b: [{ c: 2 }] }, d: 3 });
    expect(setAt(value, ["d"], undefined)).toEqual({ a: { b: [1, { c: 2 }] } });
    expect(setAt(value, [], "all")).toBe("all");
    expect(value).toEqual({ a: { b: [1, { c: 2 }] }, d: 3 });
  });

  it("creates missing objects and lists on the path", () => {
    expect(setAt(undefined, ["a", "b"], 1)).toEqual({ a: { b: 1 } });
    expect(setAt("text", ["a", 0], 1)).toEqual({ a: [1] });
  });

  it("sets any value at any path", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom("a", "b", "c"), { minLength: 1, maxLength: 4 }), fc.nat(), (path, next) => {
        let found: unknown = setAt({ a: 1, b: { c: 2 } }, path, next);
        for (const step of path) found = isRecord(found) ? found[step] : undefined;
        expect(found).toBe(next);
      }),
    );
  });
});

it("recognizes JSON values and schemas", () => {
  expect(isJson({ a: [1, "b", null, true] })).toBe(true);
  expect(isJson({ a: undefined })).toBe(false);
  expect(isJson(() => 1)).toBe(false);
  expect([isSchema({ type: "string" }), isSchema([])]).toEqual([true, false]);
});

const RECORD: Schema = { type: "object" };
const TEXT_OR_LIST: Schema = { anyOf: [{ type: "string" }, { type: "array" }] };

describe("wordsIn", () => {
  it.each([
    ["", undefined],
    [" , ", undefined],
    ["a", ["a"]],
    [" a b ,, c", ["a b", "c"]],
  ])("splits %j into %j", (text, words) => {
    expect(wordsIn(text)).toEqual(words);
  });
});

describe("jsonIn", () => {
  it.each([
    [RECORD, "", undefined],
    [RECORD, '{"a": 1}', { a: 1 }],
    [RECORD, '{"a": ', undefined],
    [RECORD, "null", null],
    [TEXT_OR_LIST, "simulated", "simulated"],
    [TEXT_OR_LIST, '["a", "b"]', ["a", "b"]],
    [TEXT_OR_LIST, " ", undefined],
  ])("parses for %j the text %j as %j", (schema, text, value) => {
    expect(jsonIn(schema, text)).toEqual(value);
  });
});

describe("writeJson", () => {
  it("omits the quotes of a text that cannot be mistaken for JSON", () => {
    expect(writeJson(TEXT_OR_LIST, "simulated")).toBe("simulated");
    expect(writeJson(TEXT_OR_LIST, "12")).toBe('"12"');
    expect(writeJson(RECORD, "simulated")).toBe('"simulated"');
    expect(writeJson(RECORD, undefined)).toBe("");
  });

  it("writes values that jsonIn reads back", () => {
    fc.assert(
      fc.property(fc.constantFrom(RECORD, TEXT_OR_LIST), fc.jsonValue(), (schema, any) => {
        const value = JSON.parse(JSON.stringify(any));
        if (isJson(value)) expect(jsonIn(schema, writeJson(schema, value))).toEqual(value);
      }),
    );
  });
});
