import { withoutClientTags } from "../content/client-tags.ts";
import type { Content, ToolUse } from "../content/content.ts";
import { fileChangesOf } from "../content/file-changes.ts";
import { plainOutput } from "../content/plain-output.ts";
import { simpleCommands } from "../content/shell-words.ts";
import { actionOf, commandOf, filesOf, toolSubject } from "../content/tool-action.ts";
import { shortCommand } from "../references/mark.ts";

const LOOKING: ReadonlySet<string> = new Set(["read", "list", "search"]);

/** Whether a tool use only looks at files. */
export function isLook(use: ToolUse): boolean {
  return LOOKING.has(actionOf(use));
}

/** Header of a file in the patch format that `apply_patch` tools read. */
const PATCH = /\*\*\* (?:Add|Update|Delete) File: /;

/** Whether a tool use applies a patch, possibly in a shell command. */
export function isPatch({ input }: ToolUse): boolean {
  return PATCH.test(JSON.stringify(input));
}

/** Lines that no program writes unless it failed, whatever the exit code: that of a pipe or of several commands is the last one's. */
const ERROR_LINE = new RegExp(
  [
    String.raw`^(?:fatal|error|Error|ERROR|FATAL)(?:\[\w{1,20}\]| TS\d{1,5})?: \S`,
    String.raw`^\S{1,200}\(\d{1,6},\d{1,6}\): error `,
    String.raw`^(?:\w{1,40}\.){0,6}[A-Z]\w{0,40}(?:Error|Exception): \S`,
    String.raw`^Traceback \(most recent call last\)`,
    String.raw`^npm (?:ERR!|error) \S`,
    String.raw`^make(?:\[\d{1,3}\])?: \*\*\* `,
    String.raw`^ ! \[(?:remote )?rejected\]`,
    String.raw`^CONFLICT \(`,
    String.raw`^(?:panic: |thread '[^'\n]{1,60}' panicked )`,
    String.raw`^\S{1,60}: (?:line \d{1,6}: )?(?:\S{1,60}: )?command not found`,
  ].join("|"),
  "m",
);

/** Words for a failure that may also be in the output of a command that succeeded. */
const FAILED_OUTPUT = new RegExp(
  [
    String.raw`\bexit(?:ed with)?[ _](?:code|status)"?:? ?[1-9]`,
    String.raw`\bcommand failed\b`,
    String.raw`^(?:--- )?FAIL\b`,
    String.raw`^=+ .*\b[1-9]\d* failed\b`,
  ].join("|"),
  "im",
);

/** First lines of a call that was rejected, although its result is not an error. */
const REJECTED =
  /^\W*(?:\w+ )?(?:error|fail(?:ed|ure)|invalid|could not|cannot|unable)\b|verification failed|\bno (?:\w+ ){0,2}match|\b(?:not found|does not exist)\b/i;

/** Tools report an exit code in the first or last lines. */
const ENDS_CHARACTERS = { start: 300, end: 2_000 } as const;
const FIRST_LINE_CHARACTERS = 200;

/** Whether a tool use failed, as far as its result says so. */
export function hasFailed(use: ToolUse, text: string): boolean {
  if (use.isError) return true;
  if (isLook(use)) return false;
  const output = plainOutput(text);
  const isCommand = actionOf(use) === "command";
  const [first = ""] = output.slice(0, FIRST_LINE_CHARACTERS).split("\n");
  if (!isCommand && fileChangesOf(use).length === 0)
    return text.length <= OUTCOME_CHARACTERS.failure && REJECTED.test(first);
  if ((!isCommand || isPatch(use)) && REJECTED.test(first)) return true;
  return isCommand ? hasFailedCommand(use, text, output) : endsOf(text).some((part) => FAILED_OUTPUT.test(part));
}

function hasFailedCommand(use: ToolUse, text: string, output: string): boolean {
  const outcome = lastLines(output);
  if (PUSHED.test(outcome)) return false;
  const isError = endsOf(output).some((part) => ERROR_LINE.test(part)) && !isTolerant(use);
  if (isError && !hasPassed(outcome)) return true;
  if (EXIT_0.test(lastLines(text))) return false;
  return endsOf(text).some((part) => FAILED_OUTPUT.test(part));
}

function endsOf(text: string): string[] {
  return [text.slice(0, ENDS_CHARACTERS.start), text.slice(-ENDS_CHARACTERS.end)];
}

/** A push that went through, whatever its hooks print before. */
const PUSHED = /^ *(?:[+-] )?(?:[0-9a-f]{7,40}\.{2,3}[0-9a-f]{7,40}|[*+] \[[^\]\n]{1,40}\]) +\S+ +-> +\S+/m;
const EXIT_0 = /\bexit[ _](?:code|status)"?:? ?0\b/i;
const OUTCOME_LINES = 6;

function lastLines(text: string): string {
  return text.trimEnd().slice(-ENDS_CHARACTERS.end).split("\n").slice(-OUTCOME_LINES).join("\n");
}

/** Whether the last lines report success: programs log errors that they expect. */
function hasPassed(outcome: string): boolean {
  return PASSED.test(outcome) && !NOT_PASSED.test(outcome);
}

const PASSED =
  /\b(?:[1-9]\d{0,6} (?:tests? )?pass(?:ed|ing)|0 (?:failed|failures|errors)|success(?:ful(?:ly)?)?|succeeded)\b/i;
const NOT_PASSED = /\b[1-9]\d{0,6} (?:\w{1,20} )?(?:failed|failing|failures?|errors?)\b/i;

/** Whether the errors in a command's output say nothing about the command: it prints a file or a log, searches, or allows a failure. */
function isTolerant(use: ToolUse): boolean {
  const command = plainCommand(use);
  let isPiped = false;
  return simpleCommands(command).some(({ words, end }) => {
    const isSource = !isPiped;
    isPiped = /^\|(?!\|)/.test(command.slice(end, end + 2));
    return (isSource && PRINTS_TEXT.test(words.join(" "))) || /^\|\| ?(?:true|:)/.test(command.slice(end, end + 7));
  });
}

/** Programs that print or search texts, which may contain the errors of other programs. */
const PRINTS_TEXT = new RegExp(
  `^(?:${[
    "(?:cat|bat|head|tail|less|more|nl|awk|jq|diff|strings|journalctl|dmesg|type|Get-Content|Select-String)(?= |$)",
    "sed -n",
    "[ef]?grep |(?:rg|ag|ack|findstr) |find .* -exec",
    "git (?:show|log|blame|grep|diff)(?= |$)",
    "(?:docker|docker[ -]compose|podman|kubectl|oc|pm2|heroku|fly|gh) (?:\\S+ ){0,4}(?:logs?|view|describe)(?= |$)",
  ].join("|")})`,
);

/**
 * Returns what a tool use does, to find out whether a later one repaired it. A repaired call is rarely the same one: another test file,
 * another argument. It has the same program and subcommand, or the same file.
 */
export function kindOfUse(use: ToolUse): string {
  if (actionOf(use) !== "command") return filesOf(use.input)[0]?.path ?? `${use.name} ${toolSubject(use) ?? ""}`;
  return `${use.name} ${shortCommand(plainCommand(use)).split(" ").slice(0, 2).join(" ")}`;
}

/** Returns the command of a tool use, without the shell that runs it. */
export function plainCommand(use: ToolUse): string {
  return commandOf(use).replace(POWERSHELL, "");
}

const POWERSHELL = /^(?:powershell|pwsh)(?:\.exe)?(?: -\w{1,20}){0,4} ['"]?/i;

const INFORMATIVE = /error|fail|exception|cannot|can't|not found|denied|undefined|expected/i;
/** Lines of a script runner about the script that failed. */
export const RUNNER_LINE = /^(?:npm (?:err|error)\b|ELIFECYCLE|(?:command )?exit(?:ed with)? (?:code|status))/i;

/** Returns the line of a failed result that says most about the failure: the first one of a message from the client, else the last one. */
export function failureLine(text: string): string {
  const lines = withoutClientTags(plainOutput(text))
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  const [first = ""] = lines;
  if (REJECTED.test(first)) return first;
  if (CLIENT_ERROR.test(text)) return lines.find((line) => INFORMATIVE.test(line)) ?? first;
  const own = lines.filter((line) => !RUNNER_LINE.test(line));
  const found = own.findLast((line) => ERROR_LINE.test(line)) ?? own.findLast((line) => INFORMATIVE.test(line));
  return found ?? lines.at(-1) ?? "";
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
