import type { ToolUse } from "../content/content.ts";
import { plainOutput } from "../content/plain-output.ts";
import { actionOf, commandOf, toolSubject } from "../content/tool-action.ts";
import { shortCommand } from "../references/mark.ts";
import { failureLine, hasFailed } from "./failures.ts";

/** The latest run of a check: a command that tests, builds, lints or type-checks. */
export interface Check {
  readonly use: ToolUse;
  /** The line of its output that says how it ended; empty if there is none. */
  readonly line: string;
  readonly text: string;
}

const MAX_CHECKS = 4;

/** Returns the latest run of each check, the latest first. Leaves out runs whose output does not say how they ended. */
export function lastChecks(results: ReadonlyMap<ToolUse, string>): Check[] {
  const seen = new Set<string>();
  const checks: Check[] = [];
  for (const [use, text] of [...results].reverse()) {
    const commands = actionOf(use) === "command" ? checksIn(commandOf(use)) : [];
    if (commands.every(({ key }) => seen.has(key))) continue;
    const check = describeRun(use, text, commands.map(({ command }) => shortCommand(command)).join(" && "));
    for (const { key } of commands) seen.add(key);
    if (check !== undefined) checks.push(check);
    if (checks.length === MAX_CHECKS) break;
  }
  return checks;
}

/** A check by a script or a subcommand of a program, or by a program of its own. */
const CHECK =
  /^(?:(?:(?:npm|pnpm|yarn|bun|just|make|cargo|go|dotnet|mvn|deno|(?:\.\/)?gradlew?)(?: run)? |(?:npx|uv run|poetry run|python3? -m) (?:biome |ruff )?)[\w:-]*(?:test|build|lint|check|clippy|vet|llvm-cov)[\w:-]*|(?:npx |uv run |poetry run |python3? -m |\S*node_modules\/\.bin\/)?(?:tsc|vitest|jest|pytest|eslint|mypy|biome check|ruff check)(?= |$))/;

interface CheckCommand {
  readonly command: string;
  /** The same for each run, whatever its options. */
  readonly key: string;
}

function checksIn(command: string): CheckCommand[] {
  return command.split(/&&|\|\|?|;|\n/).flatMap((part) => {
    const plain = part
      .trim()
      .replace(/^(?:\w+=\S* +)+/, "")
      .replace(/ (?:-s|--silent)(?= )/g, "");
    const key = CHECK.exec(plain)?.[0].replace(" run ", " ");
    return key === undefined ? [] : [{ command: plain, key }];
  });
}

const VERDICT =
  /\b\d[\d,]{0,12} (?:\w{1,20} ){0,2}(?:tests?|files?|errors?|warnings?|problems?|passed|failed|passing|failing)\b|\b(?:errors?|passed|failed|checked|found|success\w*|succeeded|built)\b/i;
const FAILED = /\b[1-9]\d{0,9} (?:\w{1,20} )?(?:failed|failing|failures?|errors?|problems?)\b|\berror(?:\[| TS|:)/i;
/** Lines of a script runner about the exit code, and results of runs that had not ended. */
const RUNNER_LINE = /^npm (?:err|error)\b|^ELIFECYCLE|exit(?:ed with)? (?:code|status)/i;
const UNFINISHED = /\b(?:in (?:the )?background|timed out|interrupted|aborted)\b/i;
const MAX_LINE_CHARACTERS = 120;

function describeRun(use: ToolUse, text: string, command: string): Check | undefined {
  const output = plainOutput(text);
  const lines = output.split("\n").filter((line) => line.trim() !== "" && !RUNNER_LINE.test(line.trim()));
  const verdict = lines.findLast((line) => VERDICT.test(line));
  const isFailed = hasFailed(use, text) || hasFailed(use, output) || FAILED.test(verdict ?? "");
  if (!isFailed && UNFINISHED.test(output.slice(0, MAX_LINE_CHARACTERS))) return undefined;
  if (!isFailed && verdict === undefined && /\|/.test(toolSubject(use) ?? "")) return undefined;
  const line = (verdict ?? (isFailed ? failureLine(output) : "")).trim();
  const short = line.replace(/\s+/g, " ").replace(/\.$/, "").slice(0, MAX_LINE_CHARACTERS);
  const ending = short === "" ? "" : ` (${short})`;
  return { use, line, text: `\`${command}\`: ${isFailed ? "failed" : "passed"}${ending}` };
}
