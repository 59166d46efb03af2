import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseJsonText } from "./parse-json-text.ts";

describe("parseJsonText", () => {
  it("reads an escaped key after a text whose key looks the same in its first characters", () => {
    for (const poison of ['{"\\\\":1}', '{"role":1,"conten\\\\":1}', '{"a\\\\":1}']) JSON.parse(poison);
    expect(parseJsonText('{"\\u540d":2}')).toEqual({ 名: 2 });
    expect(parseJsonText('{"role":1,"conten\\u0074":2}')).toEqual({ role: 1, content: 2 });
    expect(parseJsonText('{"a\\n":3}')).toEqual({ "a\n": 3 });
  });

  it("keeps keys that do contain a backslash", () => {
    expect(parseJsonText('[{"a\\\\":{"\\"":[1, -2.5e3 ,null]} , "b":"x\\"}"}]')).toEqual([
      { "a\\": { '"': [1, -2500, null] }, b: 'x"}' },
    ]);
  });

  it("returns the last value of a repeated key, at the place of the first, and keeps __proto__ as a key", () => {
    const value = parseJsonText('{"\\\\":1,"a":1,"\\u005c":2,"__proto__":3}');
    expect(JSON.stringify(value)).toBe('{"\\\\":2,"a":1,"__proto__":3}');
  });

  it("reads values that are nested deeper than the call stack", () => {
    const text = `${'{"\\\\":'.repeat(100_000)}1${"}".repeat(100_000)}`;
    expect(typeof parseJsonText(text)).toBe("object");
  });

  it("throws a SyntaxError for invalid JSON", () => {
    expect(() => parseJsonText('{"a\\\\":}')).toThrow(SyntaxError);
  });

  it("returns the value that was written, however its keys are escaped", () => {
    const anyText = fc.string({ unit: fc.constantFrom("a", "\\", "名", "\n", '"', "u", "__proto__") });
    const anyValue = fc.letrec((tie) => ({
      value: fc.oneof({ depthSize: "small" }, fc.integer(), anyText, fc.array(tie("value")), tie("object")),
      object: fc.dictionary(anyText, tie("value")),
    })).value;
    fc.assert(
      fc.property(anyValue, fc.boolean(), (value, isEscaped) => {
        const text = JSON.stringify(value);
        const escaped = text.replace(/[a名u]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`);
        // An escape sequence of the text itself must not be escaped again.
        const written = isEscaped && !text.includes("\\") ? escaped : text;
        expect(JSON.stringify(parseJsonText(written))).toBe(text);
      }),
    );
  });
});
