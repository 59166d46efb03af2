/** Characters `from` up to `to` of a text. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** Trims whitespace from a span; returns undefined if nothing is left. */
export function trimSpan(text: string, { from, to }: Span): Span | undefined {
  const start = skipBlanks(text, from);
  let end = to;
  while (end > start && isBlank(text.charCodeAt(end - 1))) end--;
  return end > start ? { from: start, to: end } : undefined;
}

/** Returns the index of the first non-blank character at or after `from`. */
export function skipBlanks(text: string, from: number): number {
  let at = from;
  while (at < text.length && isBlank(text.charCodeAt(at))) at++;
  return at;
}

/** Returns the index of the last non-blank character before `before`, or -1. */
export function lastNonBlank(text: string, before: number): number {
  let at = before - 1;
  while (at >= 0 && isBlank(text.charCodeAt(at))) at--;
  return at;
}

const SPACE = 0x20;
const TAB = 0x09;
const CARRIAGE_RETURN = 0x0d;

/** Space, tab, line feed, vertical tab, form feed and carriage return. */
function isBlank(code: number): boolean {
  return code === SPACE || (code >= TAB && code <= CARRIAGE_RETURN);
}

/** Tools that models call as XML in text in Roo, Cline and Zoo Code. */
export const XML_TOOLS: ReadonlySet<string> = new Set([
  "access_mcp_resource",
  "apply_diff",
  "apply_patch",
  "ask_followup_question",
  "attempt_completion",
  "browser_action",
  "codebase_search",
  "condense",
  "edit_file",
  "execute_command",
  "fetch_instructions",
  "generate_image",
  "insert_content",
  "list_code_definition_names",
  "list_files",
  "load_mcp_documentation",
  "new_rule",
  "new_task",
  "plan_mode_respond",
  "read_file",
  "replace_in_file",
  "report_bug",
  "run_slash_command",
  "search_and_replace",
  "search_files",
  "search_replace",
  "summarize_task",
  "switch_mode",
  "update_todo_list",
  "use_mcp_tool",
  "use_skill",
  "web_fetch",
  "web_search",
  "write_to_file",
]);

/** Parameters that contain parameters; `diff` only if it contains a `content`. */
export const CONTAINERS: ReadonlySet<string> = new Set([
  "args",
  "file",
  "files",
  "diff",
  "follow_up",
  "operations",
  "edit",
]);

/** Parameters whose text may contain tags: they end at the last closing tag, not the first. */
export const VERBATIM: ReadonlySet<string> = new Set([
  "arguments",
  "command",
  "content",
  "context",
  "diff",
  "message",
  "regex",
  "replace",
  "response",
  "result",
  "search",
  "text",
  "todos",
]);
