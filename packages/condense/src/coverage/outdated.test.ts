import type { JsonObject } from "@longhaul/conversation";
import { makeAssistant, makeToolCall, makeToolResult, makeUser } from "@longhaul/conversation/testing";
import { describe, expect, it } from "vitest";
import { decompose } from "../content/contents.ts";
import { plainLine } from "./identifiers.ts";
import { outdatedIn } from "./outdated.ts";

let calls = 0;

function use(name: string, input: JsonObject, result = "ok", isError = false) {
  const id = `c${calls++}`;
  return [makeAssistant(makeToolCall(id, { name, input })), makeUser(makeToolResult(id, result, { isError }))];
}

function edit(from: string, to: string, result?: string) {
  return use("Edit", { file_path: "a.ts", old_string: from, new_string: to }, result);
}

/** Returns the outdated lines of all arguments and results. */
function outdatedLines(messages: ReturnType<typeof use>, file = "a.ts"): string[] {
  const { contents } = decompose(messages);
  const isOutdated = outdatedIn(contents);
  return contents.flatMap((content) =>
    content.text
      .split("\n")
      .filter((line) => isOutdated(content, plainLine(line), content.use?.name === "Bash" ? undefined : file)),
  );
}

describe("outdatedIn", () => {
  it("finds lines that a later edit of the file removed, in edits and in reads", () => {
    const messages = [
      ...use("Read", { file_path: "a.ts" }, "  1→first line\n  2→last line"),
      ...edit("first line", "second line\nother line"),
      ...edit("second line\nother line", "third line\nother line"),
    ];
    expect(outdatedLines(messages)).toEqual(["  1→first line", "first line", "second line", "second line"]);
  });

  it("finds earlier lists of a to-do tool, and none of its latest one", () => {
    const list = (status: string) => use("TodoWrite", { todos: [{ content: "write the parser", status }] });
    expect(outdatedLines([...list("in_progress"), ...list("completed")])).toEqual(["write the parser", "in_progress"]);
  });

  it("finds the lines of a file that is written again without them", () => {
    const write = (content: string) => use("Write", { file_path: "a.ts", content });
    expect(outdatedLines([...write("one line\ntwo lines"), ...write("two lines\nthree lines")])).toEqual(["one line"]);
  });

  it("finds the lines of a file that was deleted since, under any of its names, unless it was restored", () => {
    const plan = use("Write", { file_path: "/repo/a.ts", content: "one line" });
    const lines = (...commands: string[]) =>
      outdatedLines([...plan, ...commands.flatMap((command) => use("Bash", { command }))], "/repo/a.ts");
    expect(lines("rm a.ts")).toEqual(["/repo/a.ts", "one line", "ok"]);
    expect(lines("mv b.ts /repo/a.ts")).toEqual(["/repo/a.ts", "one line", "ok"]);
    expect(lines("rm a.ts", "git checkout -- a.ts")).toEqual([]);
    expect(lines("mv a.ts b.ts")).toEqual([]);
  });

  it("takes a line that a later edit adds again for current", () => {
    const messages = [
      ...use("Write", { file_path: "a.ts", content: "one line\ntwo lines" }),
      ...use("Write", { file_path: "a.ts", content: "two lines" }),
      ...edit("two lines", "one line"),
    ];
    expect(outdatedLines(messages)).toEqual(["two lines", "two lines", "two lines"]);
  });

  it.each([
    ["npm test", "Tests: 1 failed", false],
    ["npm test", "Exit code 1\nTests: 1 failed", true],
  ])("counts what a command changed before another part of it failed", (test, result, isError) => {
    const written = use(
      "Bash",
      { command: `cat > a.ts <<'EOF'\none line\nEOF\n${test}` },
      `${result}\nexit code 1`,
      isError,
    );
    expect(outdatedLines(written)).toEqual([]);
    const removed = use("Bash", { command: `rm a.ts && ${test}` }, `${result}\nexit code 1`, isError);
    expect(outdatedLines([...use("Read", { file_path: "a.ts" }, "one line"), ...removed])).toEqual([
      "a.ts",
      "one line",
    ]);
    const rejected = use("Bash", { command: "rm a.ts" }, "The user rejected this call.", true);
    expect(outdatedLines([...use("Read", { file_path: "a.ts" }, "one line"), ...rejected])).toEqual(["rm a.ts"]);
  });

  it("finds none of the latest list that a tool sets as a text with boxes", () => {
    const list = (todos: string) => use("update_todo_list", { todos });
    const reads = Array.from({ length: 3 }, () => use("Read", { file_path: "b.ts" }, "some line")).flat();
    expect(outdatedLines([...list("- [ ] write the parser"), ...list("- [x] write the parser"), ...reads])).toEqual([
      "- [ ] write the parser",
    ]);
  });

  it("takes a line for current while the file has as many copies of it as were read", () => {
    const read = use("Read", { file_path: "a.ts" }, "return null;\nlet a = 1;\nreturn null;");
    const drop = edit("let a = 1;\nreturn null;", "let a = 2;");
    expect(outdatedLines([...read, ...drop])).toEqual(["let a = 1;", "let a = 1;", "return null;"]);
    const again = edit("return null;", "return 1;");
    expect(outdatedLines([...read, ...drop, ...again]).filter((line) => line === "return null;")).toHaveLength(4);
    const all = use("Edit", {
      file_path: "a.ts",
      old_string: "return null;",
      new_string: "return 1;",
      replace_all: true,
    });
    expect(outdatedLines([...read, ...all])).toEqual(["return null;", "return null;", "return null;"]);
  });

  it("takes a line for current whose copy was added before one was removed", () => {
    const read = use("Read", { file_path: "a.ts" }, "return null;\nlet a = 1;");
    expect(outdatedLines([...read, ...edit("let a = 1;", "return null;"), ...edit("return null;", "stop();")])).toEqual(
      ["let a = 1;", "let a = 1;", "return null;", "return null;"],
    );
  });

  it("reads thousands of edits that change the same line in time that grows with their number", () => {
    const edits = Array.from({ length: 15_000 }, (_, index) => edit(`line ${index}`, "return null;")).flat();
    const { contents } = decompose(edits);
    const isOutdated = outdatedIn(contents);
    expect(contents.filter((content) => isOutdated(content, "return null;", "a.ts"))).toEqual([]);
  }, 10_000);

  it("finds changes under any name of their file", () => {
    const read = use("Read", { file_path: "/repo/a.ts" }, "one line\ntwo lines");
    expect(outdatedLines([...read, ...edit("one line", "other line")], "/repo/a.ts")).toEqual(["one line", "one line"]);
  });

  it("finds the lines of an edit that failed, and not those that it would have removed", () => {
    const messages = [...edit("one line", "two lines"), ...edit("two lines", "three lines", "Error: no match found")];
    expect(outdatedLines(messages)).toEqual(["one line", "a.ts", "two lines", "three lines"]);
  });
});
