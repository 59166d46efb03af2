import { describe, expect, it } from "vitest";
import { identifiersIn, isBareList, isDistinctive, plainLine } from "./identifiers.ts";

describe("identifiersIn", () => {
  it("finds paths, names, numbers, hashes and codes", () => {
    const text = "Fix src/a/b-c.ts: readFile and user_name in NO6JO3, 4096 bytes, commit 1a2b3c4, FooBar, the end.";
    expect(identifiersIn(text)).toEqual([
      "src/a/b-c.ts",
      "readFile",
      "user_name",
      "NO6JO3",
      "4096",
      "1a2b3c4",
      "FooBar",
    ]);
  });

  it("includes letters beyond ASCII in a name", () => {
    expect(identifiersIn("voir docs/réglages.md")).toEqual(["docs/réglages.md"]);
  });

  it("ends a name at an arrow, a bullet or another symbol", () => {
    expect(identifiersIn("    15→parseLine(); •readFile… │src/a.ts│")).toEqual(["parseLine", "readFile", "src/a.ts"]);
  });

  it("finds dates, versions, and names with surrounding punctuation", () => {
    expect(identifiersIn("on 2024-05-20 `v1.2.3` of $scope.apply(x), see __init__ and e2e.")).toEqual([
      "2024-05-20",
      "v1.2.3",
      "$scope.apply",
      "__init__",
    ]);
  });

  it("is fast on a very long word", () => {
    expect(identifiersIn("a".repeat(300_000))).toEqual([]);
  });

  it("finds none in plain words", () => {
    expect(identifiersIn("Please go on with the work, it is 42 lines.")).toEqual([]);
  });
});

describe("plainLine", () => {
  it("removes layout and line numbers", () => {
    expect(plainLine("   12→\tconst answer = await ask();\n")).toBe("const answer = await ask();");
    expect(plainLine("12 | const answer = await ask();")).toBe("const answer = await ask();");
  });
});

describe("isDistinctive", () => {
  it("is false for a common short line", () => {
    expect(isDistinctive(plainLine("  });"))).toBe(false);
    expect(isDistinctive(plainLine("const answer = await ask();"))).toBe(true);
  });
});

describe("isBareList", () => {
  it("distinguishes a list of names from a line with other words", () => {
    const isBare = (line: string) => isBareList(line, identifiersIn(line));
    expect(isBare("src/a.ts")).toBe(true);
    expect(isBare(" 3: src/a.ts, src/b.ts")).toBe(true);
    expect(isBare("src/a.ts is broken")).toBe(false);
    expect(isBare("src/a.ts 壊れている")).toBe(false);
  });
});
