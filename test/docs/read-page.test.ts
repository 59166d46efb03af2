import { describe, expect, it } from "vitest";
import { longhaulCommands, tableRows } from "./read-page.ts";

describe("tableRows", () => {
  it("reads the cells of every row except the head", () => {
    const page = "# Title\n\n| code | status |\n|---|--:|\n| `a` | 400 |\n| b |  |\n\nText | more.\n";
    expect(tableRows(page)).toEqual([
      ["`a`", "400"],
      ["b", ""],
    ]);
  });
});

describe("longhaulCommands", () => {
  it("finds and parses commands in code blocks", () => {
    const text = [
      "Run `longhaul start`.",
      "```",
      "npx longhaul config check [file]   # says what it comes to",
      'longhaul run claude-code -p "Two words" > out.txt',
      "curl http://127.0.0.1",
      "```",
      "```json",
      "longhaul no",
      "```",
    ].join("\n");
    expect(longhaulCommands({ path: "a.md", text })).toEqual([
      { page: "a.md", line: "npx longhaul config check [file]", args: ["config", "check"] },
      {
        page: "a.md",
        line: 'longhaul run claude-code -p "Two words" > out.txt',
        args: ["run", "claude-code", "-p", "Two words"],
      },
    ]);
  });
});
