import { expect, it } from "vitest";
import { getEnv, removeEnv, setEnv } from "./env-edit.ts";

const FILE = "# mine\nexport A=1\nB='two words'\n";

it("replaces a variable in its line, or adds it at the end", () => {
  expect(setEnv(FILE, ["A"], "x")).toBe("# mine\nA=x\nB='two words'\n");
  expect(setEnv(FILE, ["C"], "x y")).toBe(`${FILE}C="x y"\n`);
  expect(setEnv("A=1", ["C"], "x")).toBe("A=1\nC=x\n");
  expect(setEnv("", ["C"], "$&")).toBe('C="$&"\n');
});

it("reads a variable", () => {
  expect([getEnv(FILE, ["A"]), getEnv(FILE, ["B"]), getEnv(FILE, ["C"])]).toEqual(["1", "two words", undefined]);
});

it("reads a variable without the comment behind it", () => {
  const read = (line: string) => getEnv(line, ["A"]);
  expect(['A="x # y" # z', "A='x' # z", "A=x # z", "A=x#y", 'A="', "A="].map(read)).toEqual([
    "x # y",
    "x",
    "x",
    "x#y",
    '"',
    "",
  ]);
});

it("takes out a variable's line", () => {
  expect(removeEnv(FILE, ["A"])).toBe("# mine\nB='two words'\n");
  expect(removeEnv(FILE, ["C"])).toBe(FILE);
});
