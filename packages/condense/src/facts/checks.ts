import type { ToolUse } from "../content/content.ts";
import { fileChangesOf } from "../content/file-changes.ts";
import { plainOutput } from "../content/plain-output.ts";
import { simpleCommands } from "../content/shell-words.ts";
import { actionOf, toolSubject } from "../content/tool-action.ts";
import { shortCommand } from "../references/mark.ts";
import { failureLine, hasFailed, plainCommand, RUNNER_LINE } from "./failures.ts";
import { isUndone, type ResultTexts } from "./files.ts";

/** The latest run of a check: a command that tests, builds, lints or type-checks. */
export interface Check {
  readonly use: ToolUse;
  /** The line of its output that says how it ended; empty if there is none. */
  readonly line: string;
  readonly text: string;
}

const MAX_CHECKS = 4;

/**
 * Returns the latest run of each check, the latest first, and says whether files were changed after it. Leaves out runs whose output does
 * not say how they ended.
 */
export function lastChecks(results: ResultTexts): Check[] {
  const seen = new Set<string>();
  const checks: Check[] = [];
  let isOld = false;
  for (const [use, text] of [...results].reverse()) {
    const commands = actionOf(use) === "command" ? checksIn(plainCommand(use)) : [];
    if (commands.some(({ key }) => !seen.has(key))) {
      const command = commands.map((each) => shortCommand(each.command)).join(" && ");
      const check = describeRun(use, text, { command, isOld });
      for (const { key } of commands) seen.add(key);
      if (check !== undefined) checks.push(check);
      if (checks.length === MAX_CHECKS) break;
    }
    isOld ||= changesFiles(use, text);
  }
  return checks;
}

/** Whether a tool use changed a file. */
export function changesFiles(use: ToolUse, result: string): boolean {
  return fileChangesOf(use).some(({ kind }) => kind !== "restore") && !isUndone(use, result);
}

/** Says that a result may be outdated. */
export const BEFORE_CHANGES = "before the last changes";

/** Programs that run scripts or have subcommands for checks, and options about the package that they are for. */
const RUNNER = String.raw`(?:npm|pnpm|yarn|bun|just|make|cargo|go|dotnet|mvn|deno|swift|(?:npx )?(?:turbo|nx)|(?:\./)?gradlew?)`;
const PACKAGE = String.raw`(?: (?:--(?:prefix|filter|workspace|dir)[= ]|-[wFC] )[^\s;|&]{1,100}){0,2}`;
/** Names of scripts that check: `test`, `test:unit`, `lint-fix`, `typecheck`, but not `latest`. */
const WORD = `(?:(?:pre|post|unit)?tests?|build|lint|(?:type|spell)?checks?|clippy|vet|llvm-cov)`;
const SCRIPT = String.raw`(?:[\w:-]{0,40}[:_-])?${WORD}(?:[A-Z]\w{0,40}|[:_-][\w:-]{0,40})?(?![\w:-])`;
/** Runs a program of a package. */
const LAUNCHER = String.raw`(?:(?:npx|bunx|pnpm exec|yarn|uv run|poetry run|python3? -m) |\S{0,200}node_modules/\.bin/)`;
const PROGRAM = `(?:tsc|tsgo|vitest|jest|mocha|pytest|unittest|eslint|mypy|phpunit|rspec|playwright test|(?:biome|ruff) (?:check|lint|ci))(?= |$)`;

/** A check by a script or a subcommand of a program, or by a program of its own. */
const CHECK = new RegExp(`^(?:${RUNNER}${PACKAGE}(?: run)?${PACKAGE} ${SCRIPT}|${LAUNCHER}?${PROGRAM})`);

interface CheckCommand {
  readonly command: string;
  /** The same for each run, whatever its options. */
  readonly key: string;
}

function checksIn(text: string): CheckCommand[] {
  return simpleCommands(text).flatMap(({ words }) => {
    const command = words
      .join(" ")
      .replace(/^(?:(?:\w+=\S*|time|timeout \S+) +)+/, "")
      .replace(/ (?:-s|--silent)(?= )/g, "");
    const key = CHECK.exec(command)?.[0].replace(" run ", " ");
    return key === undefined ? [] : [{ command, key }];
  });
}

const VERDICT =
  /\b\d[\d,]{0,12} (?:\w{1,20} ){0,2}(?:tests?|files?|errors?|warnings?|problems?|passed|failed|passing|failing)\b|\b(?:errors?|passed|failed|checked|found|success\w*|succeeded|built)\b/i;
const FAILED = /\b[1-9]\d{0,9} (?:\w{1,20} )?(?:failed|failing|failures?|errors?|problems?)\b|\berror(?:\[| TS|:)/i;
/** Results of runs that had not ended. */
const UNFINISHED = /\b(?:in (?:the )?background|timed out|interrupted|aborted)\b/i;
const MAX_LINE_CHARACTERS = 120;

interface Run {
  readonly command: string;
  /** Whether files were changed after it. */
  readonly isOld: boolean;
}

function describeRun(use: ToolUse, text: string, { command, isOld }: Run): Check | undefined {
  const output = plainOutput(text);
  const verdict = verdictIn(output);
  const isFailed = isFailedRun(use, text, verdict);
  if (!isFailed && UNFINISHED.test(output.slice(0, MAX_LINE_CHARACTERS))) return undefined;
  if (!isFailed && verdict === undefined && /\|/.test(toolSubject(use) ?? "")) return undefined;
  const line = (verdict ?? (isFailed ? failureLine(output) : "")).trim();
  const short = line.replace(/\s+/g, " ").replace(/\.$/, "").slice(0, MAX_LINE_CHARACTERS);
  const ending = short === "" ? "" : ` (${short})`;
  const when = isOld ? ` ${BEFORE_CHANGES}` : "";
  return { use, line, text: `\`${command}\`: ${isFailed ? "failed" : "passed"}${when}${ending}` };
}

/** Returns the line of an output that says how the run ended. */
function verdictIn(output: string): string | undefined {
  const lines = output.split("\n").filter((line) => line.trim() !== "" && !RUNNER_LINE.test(line.trim()));
  return lines.findLast((line) => VERDICT.test(line));
}

function isFailedRun(use: ToolUse, text: string, verdict: string | undefined): boolean {
  return hasFailed(use, text) || FAILED.test(verdict ?? "");
}

const COMMITTING = /^git (?:\S+ ){0,4}(?:commit|push)(?= |$)/;

/** Returns how a check, a commit or a push ended; undefined for any other tool use. */
export function outcomeOf(use: ToolUse, text: string): "passed" | "failed" | undefined {
  if (actionOf(use) !== "command") return undefined;
  const command = plainCommand(use);
  const isRun = checksIn(command).length > 0;
  const isGit = !isRun && simpleCommands(command).some(({ words }) => COMMITTING.test(words.join(" ")));
  if (!isRun && !isGit) return undefined;
  return isFailedRun(use, text, isRun ? verdictIn(plainOutput(text)) : undefined) ? "failed" : "passed";
}
