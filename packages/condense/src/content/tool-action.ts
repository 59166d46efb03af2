import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  table,
  tryParseJson,
} from "@longhaul/conversation/advanced";
import type { ToolUse } from "./content.ts";

/** Action of a tool, as far as its name and input reveal it. */
type ToolAction = "read" | "write" | "edit" | "list" | "search" | "command" | "other";

const NAMES: Readonly<Record<Exclude<ToolAction, "other">, RegExp>> = table({
  read: /^(read|view|cat|open|fetch|get|notebook_?read)(_?(many|multiple))?(_?files?(_?contents?)?)?$/,
  write: /^(write|create|save|new)(_?to)?(_?file)?$/,
  edit: /^(multi_?edit|edit|notebook_?edit|patch|replace|insert|str_replace|search_replace)(_?(file|content|in_file|notebook))?$|^apply_(diff|patch)$|^search_and_replace$/,
  list: /^(ls|list|glob|find|tree)(_?(files?|dir|directory|directory_contents|code_definition_names))?$/,
  search: /^(grep|rg|ripgrep|search|codebase|file)(_?(search|files|file_content|content))?$/,
  command:
    /^(bash|shell|powershell|terminal|local_shell|exec|exec_command|(execute|run)(_(shell|terminal|in_terminal))?(_?(command|cmd|terminal))?)$/,
});

const ACTIONS = ["read", "write", "edit", "list", "search", "command"] as const;

/** Editors that are a single tool with a `command` parameter. */
const EDITOR = /^(str_replace_(editor|based_edit_tool)|text_editor(_\d+)?)$/;
const EDITOR_ACTIONS: ReadonlyMap<JsonValue | undefined, ToolAction> = new Map([
  ["view", "read"],
  ["create", "write"],
]);

/** Classifies a tool use. Names are compared without the prefix of their MCP server. */
export function actionOf(use: ToolUse): ToolAction {
  const found = known.get(use) ?? readAction(use);
  known.set(use, found);
  return found;
}

/** Actions by tool use: every argument and the result of a call ask for them. */
const known = new WeakMap<ToolUse, ToolAction>();

function readAction(use: ToolUse): ToolAction {
  const { input } = use;
  const name = calledName(use);
  const plain = (name.split(/__|\.|\//).at(-1) ?? name).replace(/([a-z])([A-Z])/g, "$1_$2").toLowerCase();
  if (EDITOR.test(plain)) return EDITOR_ACTIONS.get(fieldOf(input, ["command"])) ?? "edit";
  return ACTIONS.find((action) => NAMES[action].test(plain)) ?? "other";
}

/** Returns the name of the called tool: some clients call all tools of MCP servers by one tool, and name the real one in its input. */
function calledName({ name, input }: ToolUse): string {
  const inner = /mcp/i.test(name) ? fieldOf(input, ["tool_name"]) : undefined;
  return typeof inner === "string" ? inner : name;
}

function fieldOf(input: JsonValue, keys: readonly string[]): JsonValue | undefined {
  if (!isJsonObject(input)) return undefined;
  const key = keys.find((name) => input[name] !== undefined);
  return key === undefined ? undefined : input[key];
}

const PATH_KEYS = [
  "path",
  "file_path",
  "filePath",
  "filename",
  "target_file",
  "notebook_path",
  "absolute_path",
  "file",
];
const COMMAND_KEYS = ["command", "cmd", "script"];
const PATTERN_KEYS = ["pattern", "query", "regex", "glob_pattern"];

/** Lines of a file, counted from 1; `to` is infinite if the tool reads to the end. */
export interface FileLines {
  readonly path: string;
  readonly from: number;
  readonly to: number;
}

/** Returns the files named in a tool's input, with the requested lines. */
export function filesOf(input: JsonValue | undefined): readonly FileLines[] {
  if (typeof input !== "object" || input === null) return [];
  const found = knownFiles.get(input) ?? readFilesOf(input);
  knownFiles.set(input, found);
  return found;
}

/** Files by input: every line of a call asks for them. */
const knownFiles = new WeakMap<object, readonly FileLines[]>();

function readFilesOf(input: JsonValue): readonly FileLines[] {
  if (isJsonArray(input)) return input.flatMap(readFilesOf);
  if (!isJsonObject(input)) return [];
  const path = fieldOf(input, PATH_KEYS);
  if (typeof path === "string") return [{ path, ...linesOf(input) }];
  const paths = fieldOf(input, ["paths"]) ?? null;
  if (isJsonArray(paths) && paths.every((entry) => typeof entry === "string"))
    return paths.map((entry) => ({ path: entry, ...ALL_LINES }));
  return Object.entries(input).flatMap(([key, value]) =>
    readFilesOf(key === "arguments" ? parsedArguments(value) : value),
  );
}

/** Arguments of a call inside another one may be JSON. */
function parsedArguments(value: JsonValue): JsonValue {
  return typeof value === "string" && value.trim().startsWith("{") ? (tryParseJson(value) ?? value) : value;
}

const ALL_LINES = { from: 1, to: Number.POSITIVE_INFINITY };

function linesOf(input: JsonObject): { from: number; to: number } {
  const range = fieldOf(input, ["view_range", "line_range", "lines", "range"]);
  if (range !== undefined) return rangeOf(range);
  const from = numberOf(fieldOf(input, ["offset", "start_line", "startLine", "line_start"])) ?? 1;
  const limit = numberOf(fieldOf(input, ["limit"]));
  const to = numberOf(fieldOf(input, ["end_line", "endLine", "line_end"]));
  return { from, to: to ?? (limit === undefined ? ALL_LINES.to : from + limit - 1) };
}

/** Parses `[10, 20]` or `"10-20"`; -1 means the end. */
function rangeOf(range: JsonValue): { from: number; to: number } {
  const parts = typeof range === "string" ? range.split("-") : isJsonArray(range) ? range : [];
  const [from, to] = parts.map(numberOf);
  if (from === undefined) return ALL_LINES;
  return { from, to: to === undefined || to < 0 ? ALL_LINES.to : to };
}

function numberOf(value: JsonValue | undefined): number | undefined {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return typeof number === "number" && Number.isFinite(number) ? number : undefined;
}

/** `String(value)` would fail for an object with its own `toString` field. */
function textOrJson(value: JsonValue): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** Returns what a tool use is about: the command, or the pattern and where it is searched, or the files. */
export function toolSubject({ input }: ToolUse): string | undefined {
  const command = fieldOf(input, COMMAND_KEYS);
  if (command !== undefined) return isJsonArray(command) ? command.map(textOrJson).join(" ") : textOrJson(command);
  const pattern = fieldOf(input, PATTERN_KEYS);
  const paths = filesOf(input).map((file) => file.path);
  const parts = typeof pattern === "string" ? [pattern, ...paths] : paths;
  return parts.length === 0 ? undefined : parts.join(" ");
}

/** Whether a tool sets a list of to-dos or the steps of a plan, judged by its name. A call contains the whole list. */
export function isListTool(name: string): boolean {
  return /todo|plan/i.test(name);
}

/** Returns the command of a tool use, without the shell that runs it. */
export function commandOf(use: ToolUse): string {
  return (toolSubject(use) ?? "").replace(/^(?:bash|sh|zsh) -l?c +['"]?/, "");
}
