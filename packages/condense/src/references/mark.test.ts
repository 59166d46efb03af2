import type { JsonValue } from "@longhaul/conversation";
import { describe, expect, it } from "vitest";
import type { Content, Level } from "../content/content.ts";
import {
  consolidatedMark,
  describe as describeContent,
  obsoleteMark,
  referenceMark,
  repeatedReadMark,
} from "./mark.ts";

function content(
  name: string,
  input: JsonValue,
  level: Level = "result",
  path: readonly (string | number)[] = [0],
): Content {
  const use = { name, input, callMessage: 0, resultMessage: 1, isError: false };
  return { at: { message: 1, block: 0, path }, from: 0, to: 1, text: "x", level, role: "user", use };
}

const read = content("Read", { file_path: "/home/dev/project/src/core/main.ts" });
const pointer = { name: "core/main.ts", lines: { first: 12, last: 57 } };

describe("marks", () => {
  it("name the text and its lines, and no position", () => {
    expect(referenceMark(pointer)).toBe("[same as core/main.ts lines 12-57 above]");
    expect(referenceMark({ ...pointer, lines: { first: 3, last: 3 } })).toBe("[same as core/main.ts line 3 above]");
    expect(repeatedReadMark("core/main.ts")).toBe("[same content as read above: core/main.ts]");
    expect(consolidatedMark(3, "`npm test`")).toBe("[same output as `npm test` above, 3 times now]");
    expect(obsoleteMark("version of core/main.ts")).toBe("[older version of core/main.ts; shown again below]");
  });

  it("name the line numbers here if they differ", () => {
    expect(referenceMark({ ...pointer, here: { first: 30, last: 75 } })).toBe(
      "[same as core/main.ts lines 12-57 above, here 30-75]",
    );
  });
});

describe("describe", () => {
  it.each<[string, Content, string]>([
    ["a file that was read", read, "core/main.ts"],
    ["a file that was written", content("Write", { file_path: "a/b.ts" }, "parameters", ["content"]), "a/b.ts"],
    ["the result of writing", content("Write", { file_path: "a/b.ts" }), "the write of a/b.ts"],
    ["an edit", content("Edit", { file_path: "a/b.ts" }, "parameters", ["new_string"]), "the edit of a/b.ts"],
    ["a parameter in XML", content("write_to_file", { path: "b.ts" }, "parameters", []), "b.ts"],
    ["a search", content("Grep", { pattern: "x", path: "/a/b/c" }), "Grep b/c"],
    ["a tool without a file", content("TodoRead", {}), "TodoRead"],
    [
      "a parameter of a tool without a file",
      content("TodoWrite", {}, "parameters", ["todos", 0, "text"]),
      "TodoWrite text",
    ],
    ["a command", content("bash", { command: "ls" }, "parameters", ["command"]), "the command `ls`"],
    ["a long command", content("bash", { command: "git log --oneline --graph --all" }), "`git log --oneline`"],
    ["a file on Windows", content("read_file", { path: "c:\\dev\\src\\a.ts" }), "src/a.ts"],
  ])("names %s", (_, given, words) => {
    expect(describeContent(given).short).toBe(words);
  });

  it("has the whole path as the long name", () => {
    expect(describeContent(read).long).toBe("/home/dev/project/src/core/main.ts");
    expect(describeContent(content("Edit", { path: "a/b/c.ts" })).long).toBe("the edit of a/b/c.ts");
  });

  it.each([
    ["cd /home/dev && npm run check 2>&1 | tail -5", "`npm run check`"],
    ['git commit -m "a secret"', "`git commit -m`"],
    ["API_KEY=abc123 curl https://x", "`curl`"],
    ["export TOKEN=abc123", "`export`"],
    ["echo s3cret", "`echo`"],
    ["", "bash"],
  ])("includes only the public part of the command %j", (command, words) => {
    expect(describeContent(content("bash", { command }))).toEqual({ short: words, long: words });
  });

  it("names the author of a text", () => {
    const { use: _, ...text } = { ...read, level: "text" as const, text: "" };
    expect(describeContent(text).short).toBe("the user's text");
    expect(describeContent({ ...text, role: "assistant" }).short).toBe("the assistant's text");
  });

  it.each([
    ["# Fix the parser, then\nrelease it", " 'Fix the parser, then...'"],
    ["Fix it.", " 'Fix it...'"],
    ["we're in a work-tree, and", " 'we're in a work-tree...'"],
    ["Use sk-1234 here", " 'Use...'"],
    ["Log in. Password hunter", " 'Log in...'"],
    ["<context>a b</context>", ""],
    ["{ a: 1 }", ""],
  ])("names %j by its first plain words", (words, name) => {
    const { use: _, ...text } = { ...read, level: "text" as const, text: words };
    expect(describeContent(text).short).toBe(`the user's text${name}`);
  });

  it("removes characters that would end the mark or that JSON escapes", () => {
    expect(describeContent(content("Read", { path: 'a]b\n[c"d.ts' }))).toEqual({
      short: "a b c d.ts",
      long: "a b c d.ts",
    });
  });
});
