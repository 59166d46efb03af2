import { expect, it } from "vitest";
import { parseJsonText } from "./json-text.ts";

it("tells where values stand", () => {
  const text = ' { "a": [1, {"x": 2}], /* c */ "b": {"c": true,}, } // end';
  const { members = [] } = parseJsonText(text);
  expect(members.map(({ name, value }) => [name, text.slice(value.start, value.end)])).toEqual([
    ["a", '[1, {"x": 2}]'],
    ["b", '{"c": true,}'],
  ]);
});

it("says in which line it is none", () => {
  expect(() => parseJsonText('{\n  "a": 1\n  "b": 2\n}')).toThrow("not valid JSON in line 3; correct it first");
});
