import type { JsonValue } from "@longhaul/conversation";
import { describe, expect, it } from "vitest";
import type { ToolUse } from "./content.ts";
import { actionOf, filesOf, toolSubject } from "./tool-action.ts";

function use(name: string, input: JsonValue = {}): ToolUse {
  return { name, input, callMessage: 0, resultMessage: 1, isError: false };
}

describe("workOf", () => {
  it.each([
    [
      "read",
      [
        "Read",
        "read_file",
        "read_many_files",
        "view",
        "cat",
        "NotebookRead",
        "mcp__filesystem__read_file",
        "get_file_contents",
      ],
    ],
    ["write", ["Write", "write_to_file", "create_file", "write_file"]],
    [
      "edit",
      [
        "Edit",
        "MultiEdit",
        "apply_diff",
        "apply_patch",
        "replace_in_file",
        "insert_content",
        "search_and_replace",
        "NotebookEdit",
      ],
    ],
    ["list", ["LS", "list_files", "list_dir", "Glob", "find", "list_directory", "list_code_definition_names"]],
    ["search", ["Grep", "search_files", "codebase_search", "search_file_content", "grep_search", "file_search"]],
    [
      "command",
      [
        "Bash",
        "bash",
        "shell",
        "execute_command",
        "run_shell_command",
        "run_terminal_cmd",
        "exec_command",
        "run_in_terminal",
      ],
    ],
    ["other", ["TodoWrite", "WebFetch", "Task", "update_todo_list", "environment_details", "BashOutput", ""]],
  ] as const)("classifies as %s", (work, names) => {
    expect(names.map((name) => [name, actionOf(use(name))])).toEqual(names.map((name) => [name, work]));
  });

  it("uses the command of an editor that is a single tool", () => {
    expect(actionOf(use("str_replace_based_edit_tool", { command: "view", path: "a" }))).toBe("read");
    expect(actionOf(use("str_replace_editor", { command: "create", path: "a" }))).toBe("write");
    expect(actionOf(use("text_editor_20250728", { command: "str_replace", path: "a" }))).toBe("edit");
  });
});

describe("filesOf", () => {
  const whole = { from: 1, to: Number.POSITIVE_INFINITY };

  it.each<[JsonValue, object]>([
    [{ file_path: "a.ts" }, whole],
    [
      { path: "a.ts", offset: 75, limit: 20 },
      { from: 75, to: 94 },
    ],
    [
      { path: "a.ts", start_line: "3", end_line: "9" },
      { from: 3, to: 9 },
    ],
    [
      { path: "a.ts", view_range: [10, -1] },
      { from: 10, to: Number.POSITIVE_INFINITY },
    ],
    [
      { path: "a.ts", line_range: "5-8" },
      { from: 5, to: 8 },
    ],
    [{ path: "a.ts", line_range: "all" }, whole],
    [{ path: "a.ts", offset: null, limit: "many" }, whole],
  ])("reads the line range of %j", (input, lines) => {
    expect(filesOf(input)).toEqual([{ path: "a.ts", ...lines }]);
  });

  it("finds every file at any depth", () => {
    const input = { args: { file: [{ path: "a.ts", line_range: "1-2" }, { path: "b.ts" }] } };
    expect(filesOf(input)).toEqual([
      { path: "a.ts", from: 1, to: 2 },
      { path: "b.ts", ...whole },
    ]);
    expect(filesOf("a.ts")).toEqual([]);
    expect(filesOf({ note: "none", count: 3 })).toEqual([]);
  });
});

describe("toolSubject", () => {
  it("returns the command, the pattern with its folder, or the files", () => {
    expect(toolSubject(use("bash", { command: "npm test", timeout: 5 }))).toBe("npm test");
    expect(toolSubject(use("shell", { command: ["git", "status"] }))).toBe("git status");
    expect(toolSubject(use("Grep", { pattern: "foo", path: "src" }))).toBe("foo src");
    expect(toolSubject(use("LS", { path: "src" }))).toBe("src");
    expect(toolSubject(use("TodoRead"))).toBeUndefined();
  });
});

describe("a call of an MCP tool by another tool", () => {
  const call = use("use_mcp_tool", {
    server_name: "files",
    tool_name: "read_multiple_files",
    arguments: '{"paths": ["src/a.ts", "src/b.ts"]}',
  });

  it("has the action and the files of the inner call", () => {
    expect(actionOf(call)).toBe("read");
    expect(filesOf(call.input).map(({ path }) => path)).toEqual(["src/a.ts", "src/b.ts"]);
    expect(actionOf(use("use_mcp_tool", { tool_name: 3 }))).toBe("other");
    expect(filesOf({ arguments: "{broken" })).toEqual([]);
  });
});
