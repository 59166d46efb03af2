import { simpleCommands } from "../content/shell-words.ts";
import { actionOf } from "../content/tool-action.ts";
import { commitLine, hasFailed, plainCommand } from "./failures.ts";
import type { ResultTexts } from "./files.ts";

/** A commit that a command made. */
export interface Commit {
  readonly hash: string;
  readonly subject: string;
  /** Says what may have replaced it since; undefined if nothing did. */
  readonly fate: string | undefined;
}

/**
 * Returns the commits that commands made, the latest first. Those that were amended or reset later are left out; if it is unknown which ones
 * a later reset or rebase concerns, all before it say so.
 */
export function commitsIn(results: ResultTexts): Commit[] {
  let history: History = { commits: [] };
  for (const [use, text] of results) {
    if (actionOf(use) !== "command") continue;
    const isStopped = hasFailed(use, text) && !CONFLICT.test(text);
    for (const command of gitCommands(plainCommand(use)))
      if (command.subcommand === "commit" || !isStopped) history = after(history, command, text);
  }
  return history.commits.toReversed();
}

interface History {
  readonly commits: readonly Commit[];
  /** The commits before a rebase that has stopped at a conflict: it can still be aborted. */
  readonly beforeRebase?: readonly Commit[];
}

function after(history: History, { subcommand, options }: GitCommand, text: string): History {
  const { commits, beforeRebase } = history;
  if (subcommand === "commit") return { ...history, commits: withCommit(commits, text, options) };
  if (subcommand === "reset") return { ...history, commits: afterReset(commits, options) };
  if (!isRebase(subcommand, text, options)) return history;
  if (options.includes("--abort")) return { commits: beforeRebase ?? commits };
  const rebased = beforeRebase === undefined ? marked(commits, "before a rebase") : commits;
  return CONFLICT.test(text) ? { commits: rebased, beforeRebase: beforeRebase ?? commits } : { commits: rebased };
}

/** How a rebase stops. */
const CONFLICT = /^(?:CONFLICT \(|error: could not apply )/m;

interface GitCommand {
  readonly subcommand: string;
  readonly options: readonly string[];
}

function gitCommands(command: string): GitCommand[] {
  if (!command.includes("git ")) return [];
  return simpleCommands(command).flatMap(({ words }) => {
    const [program, ...rest] = words.join(" ").replace(GLOBAL_OPTIONS, "git ").split(" ");
    return program === "git" ? [{ subcommand: rest[0] ?? "", options: rest.slice(1) }] : [];
  });
}

/** Options before the subcommand. */
const GLOBAL_OPTIONS = /^git (?:(?:-[cC] \S+|--?[\w-]+(?:=\S+)?) )+/;

/** How `git commit` reports a commit. */
const REPORT = /^\[(?:detached HEAD|\S+) (?:\(\S+\) )?(\w+)\] (.+)$/;

function withCommit(commits: readonly Commit[], text: string, options: readonly string[]): readonly Commit[] {
  const [, hash, subject = ""] = REPORT.exec(commitLine(text) ?? "") ?? [];
  if (hash === undefined || commits.at(-1)?.hash === hash) return commits;
  const kept = options.includes("--amend") ? commits.slice(0, -1) : commits;
  return [...kept, { hash, subject, fate: undefined }];
}

/** The latest commit, or one before it. */
const RELATIVE = /^(?:HEAD|@)(?:(\^+)|~(\d{0,3}))?$/;

function afterReset(commits: readonly Commit[], options: readonly string[]): readonly Commit[] {
  const words = options.filter((option) => !option.startsWith("-"));
  const [target = "HEAD", ...paths] = words;
  if (paths.length > 0 || options.includes("--")) return commits;
  const [isRelative, carets, count] = RELATIVE.exec(target) ?? [];
  if (isRelative !== undefined) {
    const back = carets?.length ?? (count === undefined ? 0 : Number(count || "1"));
    return commits.slice(0, Math.max(0, commits.length - back));
  }
  const at = commits.findLastIndex(({ hash }) => target.startsWith(hash) || hash.startsWith(target));
  if (at !== -1) return commits.slice(0, at + 1);
  return options.some((option) => /^--(?:soft|mixed|hard|keep|merge)$/.test(option))
    ? marked(commits, "before a reset")
    : commits;
}

/** Whether a command rebased something. */
function isRebase(subcommand: string, text: string, options: readonly string[]): boolean {
  if (/\bis up to date\b/.test(text)) return false;
  return (
    subcommand === "rebase" || (subcommand === "pull" && options.some((option) => /^(?:-r|--rebase)/.test(option)))
  );
}

function marked(commits: readonly Commit[], fate: string): Commit[] {
  return commits.map((commit) => ({ ...commit, fate }));
}
