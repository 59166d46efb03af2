import fc from "fast-check";
import { expect, it } from "vitest";
import { JSON_TEXT } from "./json-edit.ts";
import { holdersIn, valueAt, withValue } from "./settings-data.ts";

const SETTINGS = `{
  // how it looks
  "theme": "dark", /* not light */
  "env": {
    "A": "1",
  },
}
`;

it("returns the source text of a value in any layout", () => {
  expect(JSON_TEXT.sourceOf('{ "a": "\\u0041" } // b', ["a"])).toBe('"\\u0041"');
  expect(JSON_TEXT.sourceOf(SETTINGS, ["env", "B"])).toBeUndefined();
  expect(JSON_TEXT.sourceOf("", ["a"])).toBeUndefined();
});

it("reads comments and trailing commas", () => {
  expect(JSON_TEXT.parse(SETTINGS)).toEqual({ theme: "dark", env: { A: "1" } });
  expect(JSON_TEXT.parse('{ "a": "// no, /* comment */", "b": [1, [2,],], }')).toEqual({
    a: "// no, /* comment */",
    b: [1, [2]],
  });
  expect(JSON_TEXT.parse(" \n")).toEqual({});
});

it("removes a value and the objects that it leaves empty, down to the kept depth", () => {
  expect(JSON_TEXT.remove(SETTINGS, ["env", "A"], 0)).toBe(
    '{\n  // how it looks\n  "theme": "dark", /* not light */\n}\n',
  );
  expect(JSON_TEXT.remove('{ "a": { "b": 1 } }', ["a", "b"], 0)).toBe("{}");
  expect(JSON_TEXT.remove('{ "a": { "b": 1 } }', ["a", "b"], 1)).toBe('{ "a": {} }');
  expect(JSON_TEXT.remove('{ "a": 1, "b": 2 }', ["a"], 0)).toBe('{ "b": 2 }');
  expect(JSON_TEXT.remove('{ "a": { /* c */ "b": 1 } }', ["a", "b"], 1)).toBe('{ "a": { /* c */\n} }');
  expect(JSON_TEXT.remove(SETTINGS, ["nothing"], 0)).toBe(SETTINGS);
  expect(JSON_TEXT.remove("", ["a"], 0)).toBe("");
});

const path = fc.array(fc.constantFrom("a", "b", "c", 'q"\\'), { minLength: 1, maxLength: 3 });
const settings = fc.dictionary(fc.constantFrom("a", "b", "d"), fc.jsonValue());

it("puts and removes a value in every layout, and changes nothing else", () => {
  const layouts = fc.constantFrom<string | number | undefined>(undefined, 2, 4, "\t");
  fc.assert(
    fc.property(settings, path, layouts, (before, at, layout) => {
      const text = JSON.stringify(before, null, layout);
      const data = JSON_TEXT.parse(text);
      const room = holdersIn(data, at);
      const holder = valueAt(data, at.slice(0, room));
      fc.pre(room < at.length && typeof holder === "object" && holder !== null && !Array.isArray(holder));
      const written = JSON_TEXT.put(text, at, '"v"');
      expect(JSON.parse(written)).toEqual(withValue(data, at, "v"));
      expect(JSON_TEXT.remove(written, at, room)).toBe(text);
    }),
  );
});

it.each(["{", '{ "a" }', "[1,", "{ a: 1 }", '{ "a": 1 } x', "{ 1: 2 }", '{ "a": 01 }', '{ "a": "\\x" }'])(
  "rejects %j, which is not valid JSON",
  (text) => {
    expect(() => JSON_TEXT.put(text, ["a"], "1")).toThrow(/^not valid JSON: .* \(line 1, column \d+\); fix it first$/);
  },
);
