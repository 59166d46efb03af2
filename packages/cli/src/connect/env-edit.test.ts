import { expect, it } from "vitest";
import { ENV } from "./env-edit.ts";

it("reads variables as dotenv does", () => {
  const text =
    'A="x # y" # z\nB=\'x\' # z\nC=x#y\nD=\nE: colon\n# F=no\nexport G="two\\nlines"\nH=`it\'s`\nI="open\nno line\n';
  expect(ENV.parse(text)).toEqual({
    ...{ A: "x # y", B: "x", C: "x", D: "", E: "colon", G: "two\nlines", H: "it's", I: '"open' },
  });
});

it("replaces a value in its line, or appends a line", () => {
  expect(ENV.put("export A=1 # one\n", ["A"], "x")).toBe("export A=x # one\n");
  expect(ENV.put("A=1", ["C"], "x")).toBe("A=1\nC=x\n");
  expect(ENV.sourceOf("A= 'x' # y\n", ["A"])).toBe("'x'");
  expect(ENV.sourceOf("A=1\n", ["B"])).toBeUndefined();
});

it("removes the lines of a variable", () => {
  expect(ENV.remove('A=1\nB="two\nlines"\nC=3\n', ["B"], 0)).toBe("A=1\nC=3\n");
  expect(ENV.remove("A=1\n", ["B"], 0)).toBe("A=1\n");
});

it.each(["plain", "http://g/v1", "two words", "a#b", "$x", "it's", 'say "x"', "back\\slash", "both ' and \""])(
  "encodes %j so that it parses to the same value",
  (value) => {
    expect(ENV.parse(`A=${ENV.encode(value)}\n`)).toEqual({ A: value });
  },
);
