import { makeAssistant, makeToolCall, makeToolResult, makeUser } from "@longhaul/conversation/testing";
import { describe, expect, it } from "vitest";
import type { Content } from "../content/content.ts";
import { decompose } from "../content/contents.ts";
import { amountOf, argumentMark, describeUses, leftOutMark } from "./marks.ts";

function contentsOf(name: string, input: object, result: string): Content[] {
  return decompose([
    makeAssistant(makeToolCall("a", { name, input: { ...input } })),
    makeUser(makeToolResult("a", result)),
  ]).contents.slice();
}

function resultMark(name: string, input: object, result = "a line\nanother line"): string {
  const content = contentsOf(name, input, result).at(-1);
  return content === undefined ? "" : leftOutMark(content, content.text);
}

describe("leftOutMark", () => {
  it("names the command, the file or the tool", () => {
    expect(resultMark("Bash", { command: "npm test" })).toBe("[2 lines of `npm test` output left out]");
    expect(resultMark("Read", { file_path: "/home/me/project/src/app.ts" })).toBe("[2 lines of src/app.ts left out]");
    expect(resultMark("WebSearch", { query: "a private question" })).toBe("[2 lines of WebSearch output left out]");
  });

  it("names the lines that a tool numbered", () => {
    expect(resultMark("Read", { file_path: "src/app.ts" }, "    40\tfoo\n    41\tbar\n    42\tbaz")).toBe(
      "[lines 40-42 of src/app.ts left out]",
    );
  });

  it("names nothing of a command that may be private", () => {
    expect(resultMark("Bash", { command: "TOKEN=hunter2 curl -H 'x: hunter2'" })).toBe(
      "[2 lines of `curl -H` output left out]",
    );
    expect(resultMark("Bash", { command: "'hunter2'" })).toBe("[2 lines of output left out]");
  });

  it("cannot be closed early by a name", () => {
    expect(resultMark("Read", { file_path: "src/[id].ts" })).toBe("[2 lines of src/ id .ts left out]");
  });
});

it("counts lines, or characters of a single line", () => {
  expect(["a\nb\nc", "\na\nb\n", "abc", "x".repeat(1_234)].map(amountOf)).toEqual([
    "3 lines",
    "2 lines",
    "3 characters",
    "1,234 characters",
  ]);
  expect(amountOf("a\n[93 lines of a.ts left out]\nb\n[lines 4-9 of a.ts left out]")).toBe("100 lines");
  expect(amountOf("abc\n[1,000 characters left out]\ndef")).toBe("1,006 characters");
  expect(argumentMark({ text: "a\nb" })).toBe("[2 lines left out]");
  const command = "mkdir -p src\ncat > src/new/app.ts <<'EOF'\nexport const app = 1;\nEOF\nrm old.ts";
  const use = { name: "Bash", input: { command }, callMessage: 0, resultMessage: 1, isError: false };
  const patch = "apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: app/[slug]/page.tsx\n+x\n*** End Patch\nEOF";
  expect(argumentMark({ text: patch, use })).toBe("[6 lines writing app/ slug /page.tsx left out]");
  expect(argumentMark({ text: command, use })).toBe("[5 lines writing src/new/app.ts left out]");
  expect(argumentMark({ text: command, use: { ...use, name: "Write" } })).toBe("[5 lines left out]");
});

describe("describeUses", () => {
  const uses = [
    ["Read", { file_path: "src/app.ts" }],
    ["Read", { file_path: "src/db.ts" }],
    ["Bash", { command: "npm test" }],
    ["Read", { file_path: "src/app.ts" }],
    ["Edit", { file_path: "src/db.ts", old_string: "a", new_string: "b" }],
    ["TodoWrite", {}],
  ].flatMap(([name, input]) => contentsOf(String(name), Object(input), "ok").flatMap(({ use }) => use ?? []));

  it("groups actions by verb, each thing once", () => {
    expect(describeUses(uses, 9)).toBe("read src/app.ts, src/db.ts; ran npm test; edited src/db.ts; used TodoWrite");
  });

  it("counts those that it does not name", () => {
    expect(describeUses(uses, 2)).toBe("read src/app.ts, src/db.ts; 3 more");
    expect(describeUses(uses, 0)).toBe("");
  });
});
