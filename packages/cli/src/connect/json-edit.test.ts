import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { getJson, removeJson, setJson } from "./json-edit.ts";

const SETTINGS = `{
  // how it looks
  "theme": "dark", /* not light */
  "env": {
    "A": "1",
  },
}
`;

describe("setJson", () => {
  it("adds to an object that is there, and leaves comments and order alone", () => {
    expect(setJson(SETTINGS, ["env", "URL"], "http://127.0.0.1")).toBe(
      SETTINGS.replace('"A": "1",', '"A": "1",\n    "URL": "http://127.0.0.1",'),
    );
  });

  it("replaces a value", () => {
    expect(setJson(SETTINGS, ["theme"], "light")).toBe(SETTINGS.replace('"dark"', '"light"'));
  });

  it.each(["", "{}", "{\n}\n", " \n"])("makes what is missing, in %j", (text) => {
    expect(JSON.parse(setJson(text, ["a", "b"], 1))).toEqual({ a: { b: 1 } });
  });

  it("puts an object where something else stood in the way", () => {
    expect(JSON.parse(setJson('{ "a": null, "c": [1, [2]] }', ["a", "b"], 1))).toEqual({ a: { b: 1 }, c: [1, [2]] });
  });
});

describe("getJson", () => {
  it("finds what stands at a path, whatever is written around it", () => {
    expect(getJson(SETTINGS, ["env"])).toEqual({ A: "1" });
    expect(getJson('{ "a": "// no, /* comment */" }', ["a"])).toBe("// no, /* comment */");
    expect(getJson(SETTINGS, ["env", "B"])).toBeUndefined();
    expect(getJson("", ["a"])).toBeUndefined();
  });
});

describe("removeJson", () => {
  it("takes out a value with the objects that held nothing else", () => {
    expect(removeJson(SETTINGS, ["env", "A"])).toBe('{\n  // how it looks\n  "theme": "dark",\n}\n');
    expect(removeJson('{ "a": { "b": 1 } }', ["a", "b"])).toBe("{}");
    expect(removeJson('{ "a": 1, "b": 2 }', ["a"])).toBe('{ "b": 2 }');
    expect(removeJson(SETTINGS, ["nothing"])).toBe(SETTINGS);
    expect(removeJson("", ["a"])).toBe("");
  });
});

const path = fc.array(fc.constantFrom("a", "b", "c", 'q"\\'), { minLength: 1, maxLength: 3 });
const settings = fc.dictionary(fc.constantFrom("a", "b", "d"), fc.jsonValue());

it("reads back what it wrote, and changes nothing else", () => {
  fc.assert(
    fc.property(settings, path, fc.jsonValue(), (before, at, value) => {
      const text = setJson(JSON.stringify(before, null, 2), at, JSON.parse(JSON.stringify(value)));
      expect(JSON.stringify(getJson(text, at))).toBe(JSON.stringify(value));
      const [first = ""] = at;
      const { [first]: _new, ...others } = JSON.parse(text);
      const { [first]: _old, ...same } = JSON.parse(JSON.stringify(before));
      expect(others).toEqual(same);
    }),
  );
});

it.each(["{", '{ "a" }', "[1,", "{ a: 1 }", '{ "a": 1 } x', "{ 1: 2 }"])("refuses %j, which is no JSON", (text) => {
  expect(() => setJson(text, ["a"], 1)).toThrow("it is not valid JSON in line 1");
});
