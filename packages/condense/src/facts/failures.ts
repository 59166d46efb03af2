import { withoutClientTags } from "../content/client-tags.ts";
import type { Content, ToolUse } from "../content/content.ts";
import { fileChangesOf } from "../content/file-changes.ts";
import { filesReadBy } from "../content/file-reads.ts";
import { actionOf, commandOf, filesOf, toolSubject } from "../content/tool-action.ts";
import { shortCommand } from "../references/mark.ts";

const LOOKING: ReadonlySet<string> = new Set(["read", "list", "search"]);

/** Whether a tool use only looks at files. */
export function isLook(use: ToolUse): boolean {
  return LOOKING.has(actionOf(use));
}

/** Header of a file in the patch format that `apply_patch` tools read. */
export const PATCH = /\*\*\* (?:Add|Update|Delete) File: /;

/** Whether a tool use applies a patch, possibly in a shell command. */
export function isPatch({ input }: ToolUse): boolean {
  return PATCH.test(JSON.stringify(input));
}

/** Test runners say so on a line of their own: the exit code of a pipe is that of its last program. */
const FAILED_OUTPUT =
  /\b(?:exit(?:ed with)?[ _](?:code|status)"?:? ?[1-9]|command failed|Traceback \(most recent call last\))|^(?:--- )?FAIL\b|^=+ .*\b[1-9]\d* failed\b/im;

/** First lines of a call that was rejected, although its result is not an error. */
const REJECTED =
  /^\W*(?:\w+ )?(?:error|fail(?:ed|ure)|invalid|could not|cannot|unable)\b|verification failed|\bno (?:\w+ ){0,2}match|\b(?:not found|does not exist)\b/i;

/** Tools report an exit code in the first or last lines. */
const ENDS_CHARACTERS = { start: 300, end: 2_000 } as const;
const FIRST_LINE_CHARACTERS = 200;
/** Codex sends the output of a command in an object. */
const OUTPUT_FIELD = /^\{"output":"/;

/** Whether a tool use failed, as far as its result says so. */
export function hasFailed(use: ToolUse, text: string): boolean {
  if (use.isError) return true;
  if (isLook(use)) return false;
  const isCommand = actionOf(use) === "command";
  const [first = ""] = text.slice(0, FIRST_LINE_CHARACTERS).replace(OUTPUT_FIELD, "").split("\n");
  if (!isCommand && fileChangesOf(use).length === 0)
    return text.length <= OUTCOME_CHARACTERS.failure && REJECTED.test(first);
  if ((!isCommand || isPatch(use)) && REJECTED.test(first)) return true;
  const end = text.slice(-ENDS_CHARACTERS.end);
  if (isCommand && SUCCEEDED.test(lastLines(end))) return false;
  if (isCommand && filesReadBy(use).length === 0 && FATAL.test(lastLines(end))) return true;
  return FAILED_OUTPUT.test(text.slice(0, ENDS_CHARACTERS.start)) || FAILED_OUTPUT.test(end);
}

/** A push or an exit code that reports success, after whatever hooks print. */
const SUCCEEDED =
  /^ *(?:[0-9a-f]{7,40}\.{2,3}[0-9a-f]{7,40}|[*+] \[[^\]\n]{1,40}\]) +\S+ +-> +\S+|\bexit[ _](?:code|status)"?:? ?0\b/im;
const FATAL = /^(?:fatal|error): \S/m;
const OUTCOME_LINES = 3;

function lastLines(text: string): string {
  return text.trimEnd().split("\n").slice(-OUTCOME_LINES).join("\n");
}

/**
 * Returns what a tool use does, to find out whether a later one repaired it. A repaired call is rarely the same one: another test file,
 * another argument. It has the same program and subcommand, or the same file.
 */
export function kindOfUse(use: ToolUse): string {
  if (actionOf(use) !== "command") return filesOf(use.input)[0]?.path ?? `${use.name} ${toolSubject(use) ?? ""}`;
  return `${use.name} ${shortCommand(commandOf(use)).split(" ").slice(0, 2).join(" ")}`;
}

const INFORMATIVE = /error|fail|exception|cannot|can't|not found|denied|undefined|expected/i;

/** Returns the line of a failed result that says most about the failure: the first one of a message from the client, else the last one. */
export function failureLine(text: string): string {
  const lines = withoutClientTags(text)
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  const isInformative = (line: string) => INFORMATIVE.test(line);
  const [first = ""] = lines;
  if (REJECTED.test(first)) return first;
  const found = CLIENT_ERROR.test(text) ? lines.find(isInformative) : lines.findLast(isInformative);
  return found ?? (CLIENT_ERROR.test(text) ? first : (lines.at(-1) ?? ""));
}

/** A client's own message about a call, which may quote arguments below. */
const CLIENT_ERROR = /^\s*<tool_use_error>/;

/** Results up to this length are outcomes: a mark would save little. A failure may be longer. */
const OUTCOME_CHARACTERS = { success: 200, failure: 400 } as const;

/** Words of a short result that reports a failure, even if its tool does not. */
const FAILURE_WORDS = /\b(?:errors?|fail(?:ed|ure|s)?|rejected|not found|no such|denied|could not|cannot|unable)\b/i;

/** How `git` reports a commit, a merge or a pull. */
const COMMIT = /^(?:\[(?:detached HEAD|[\w./-]+) (?:\([\w-]+\) )?[0-9a-f]{7,40}\] |Updating [0-9a-f]{7,40}\.\.)/m;

/** Returns the line of a result that reports a commit, a merge or a pull, if there is one. */
export function commitLine(text: string): string | undefined {
  const at = COMMIT.exec(text)?.index;
  return at === undefined ? undefined : text.slice(at).split("\n", 1)[0];
}

/** Whether a content is the short result of a tool use. */
export function isShortOutcome({ level, text, use }: Content): boolean {
  if (level !== "result" || use === undefined || use.callMessage === -1) return false;
  if (text.length <= OUTCOME_CHARACTERS.success) return true;
  return (
    text.length <= OUTCOME_CHARACTERS.failure && (hasFailed(use, text) || FAILURE_WORDS.test(text) || COMMIT.test(text))
  );
}
