import { table } from "@longhaul/conversation/advanced";
import type { Content, Contents, ToolUse } from "../content/content.ts";
import { fileChangesOf, isRemovedText } from "../content/file-changes.ts";
import { filesReadBy } from "../content/file-reads.ts";
import { actionOf, filesOf } from "../content/tool-action.ts";

/** Weight of a content's identifiers and lines for what will be needed next. */
export interface Attention {
  readonly identifier: number;
  /** For identifiers on a line that only lists them. */
  readonly listed: number;
  readonly line: number;
}

/**
 * Author and part of a content. `written` is a long argument, such as a file's content; `replaced` is text that an edit removed; `read`,
 * `output` and `failure` are results of reading a file, of a command, and with an error.
 */
type Kind = "user" | "assistant" | "argument" | "written" | "replaced" | "read" | "output" | "result" | "failure";

/**
 * Weights one message later. The assistant reuses its own text far more often than what it was shown, and repeats whole lines only in
 * arguments. Fitted; see `docs/decisions`.
 */
const WEIGHTS: Readonly<Record<Kind, { readonly identifier: number; readonly line: number }>> = table({
  user: { identifier: 9, line: 0.2 },
  assistant: { identifier: 10, line: 0.05 },
  argument: { identifier: 5.5, line: 6 },
  written: { identifier: 2, line: 2 },
  replaced: { identifier: 1, line: 4 },
  read: { identifier: 0.9, line: 0.1 },
  output: { identifier: 0.6, line: 0.02 },
  result: { identifier: 0.3, line: 0.02 },
  failure: { identifier: 1, line: 0.5 },
});

/** Kinds that the assistant did not write. A line of them that only lists names weighs less. */
const SHOWN: ReadonlySet<Kind> = new Set(["read", "output", "result", "failure"]);

/** Additional weight of a file's content if the file was changed one message ago. */
const ACTIVE_FILE = { identifier: 1.3, line: 3 } as const;

/** Weights decrease with this power of the age in messages. */
const DECAY = 0.5;

/** Factor for a snapshot or a line that a later one supersedes. */
const OUTDATED = 0.03;

/** Returns the weights of an outdated line. */
export function outdated({ identifier, listed, line }: Attention): Attention {
  return { identifier: identifier * OUTDATED, listed: listed * OUTDATED, line: line * OUTDATED };
}

/** Factor for a line that an edit shows only to say where it changes the file. */
const CONTEXT = 0.8;

/** Returns the weights of a line that an edit leaves as it is. */
export function asContext({ identifier, listed, line }: Attention): Attention {
  return { identifier: identifier * CONTEXT, listed: listed * CONTEXT, line: line * CONTEXT };
}

/** Weights of a changed line, one message later: the change matters more than its place. */
const CHANGE = table({ added: 4, removed: 1 } as const);

/** Number of changed lines from which each one weighs less. */
const SMALL_EDIT_LINES = 24;

/** Returns the weight of a changed line, by the number of lines that its edit changes. */
export function changeWeight(change: keyof typeof CHANGE, changes: number, recency: number): number {
  return CHANGE[change] * recency * Math.min(1, Math.sqrt(SMALL_EDIT_LINES / changes));
}

/** Factor for identifiers that a result only lists. */
const LISTED = 0.5;

/** Returns the weight of a message relative to that of the latest one. */
export function recencyOf(message: number, messageCount: number): number {
  return (messageCount - message) ** -DECAY;
}

/** Returns a function that weighs each content of a conversation. */
export function attentionIn(
  { contents, userAuthored }: Contents,
  messageCount: number,
): (content: Content) => Attention {
  const changed = lastChanges(contents);
  const snapshots = latestSnapshots(contents);
  return (content) => {
    const { message } = content.at;
    const kind = kindOf(content, userAuthored);
    const active = content.level === "result" ? fileActivity(content, changed, messageCount) : 0;
    const recency = recencyOf(message, messageCount) * (isOutdated(content, snapshots) ? OUTDATED : 1);
    const identifier = (WEIGHTS[kind].identifier + active * ACTIVE_FILE.identifier) * recency;
    const listed = SHOWN.has(kind) ? identifier * LISTED : identifier;
    return { identifier, listed, line: (WEIGHTS[kind].line + active * ACTIVE_FILE.line) * recency };
  };
}

/** Longer arguments are contents, not names. */
const ARGUMENT_CHARACTERS = 120;

function kindOf({ level, role, at, use, text }: Content, userAuthored: readonly boolean[]): Kind {
  if (level === "parameters") {
    if (isRemovedText({ at })) return "replaced";
    const isShort = text.length <= ARGUMENT_CHARACTERS || (use !== undefined && actionOf(use) === "command");
    return isShort ? "argument" : "written";
  }
  if (level === "result") return resultKind(use);
  if (role === "assistant") return "assistant";
  return userAuthored[at.message] === true ? "user" : "result";
}

function resultKind(use: ToolUse | undefined): Kind {
  if (use?.isError === true) return "failure";
  const action = use === undefined ? "other" : actionOf(use);
  if (action === "read") return "read";
  if (action !== "command") return "result";
  return use !== undefined && filesReadBy(use).length > 0 ? "read" : "output";
}

/** Returns the latest message that changes each file: the files being worked on. */
function lastChanges(contents: readonly Content[]): ReadonlyMap<string, number> {
  const changed = new Map<string, number>();
  for (const { level, use, at } of contents) {
    if (level !== "parameters" || use === undefined) continue;
    for (const { path } of fileChangesOf(use)) changed.set(path, at.message);
  }
  return changed;
}

function fileActivity({ use }: Content, changed: ReadonlyMap<string, number>, messageCount: number): number {
  const files = use === undefined ? [] : [...filesOf(use.input).map(({ path }) => path), ...filesReadBy(use)];
  const latest = files.reduce((found, path) => Math.max(found, changed.get(path) ?? -1), -1);
  return latest === -1 ? 0 : recencyOf(latest, messageCount);
}

/** Returns the latest message with each kind of client note, such as the state of the editor. */
function latestSnapshots(contents: readonly Content[]): ReadonlyMap<string, number> {
  return new Map(contents.flatMap(({ use, at }) => (use?.callMessage === -1 ? [[use.name, at.message]] : [])));
}

function isOutdated({ level, use, at }: Content, snapshots: ReadonlyMap<string, number>): boolean {
  return level === "result" && use?.callMessage === -1 && snapshots.get(use.name) !== at.message;
}
