import { table } from "@longhaul/conversation";
import type { Content, Contents } from "../content/content.ts";
import { actionOf, filesOf } from "../content/tool-action.ts";

/** How strongly a content reminds of what it says. */
export interface Attention {
  readonly identifier: number;
  /** For identifiers on a line that only lists them. */
  readonly listed: number;
  readonly line: number;
}

/** Who says something, and in what part. `replaced` is text that an edit took out, `failure` a result that is an error. */
type Kind = "user" | "assistant" | "argument" | "replaced" | "result" | "failure";

/**
 * How strongly each kind reminds, one message ago. What the assistant itself wrote comes back far more often than what it was shown, and
 * whole lines come back only where it writes lines: in arguments. Fitted, as `docs/decisions` tells.
 */
const STRENGTHS: Readonly<Record<Kind, { readonly identifier: number; readonly line: number }>> = table({
  user: { identifier: 4, line: 1 },
  assistant: { identifier: 8, line: 0.1 },
  argument: { identifier: 8, line: 16 },
  replaced: { identifier: 4, line: 0.5 },
  result: { identifier: 0.3, line: 0.05 },
  failure: { identifier: 2, line: 2 },
});

/** What the content of a file adds, were the file changed one message ago. */
const ACTIVE_FILE = { identifier: 6, line: 40 } as const;

/** Strength falls with this power of the age in messages. */
const FADING = 0.7;

/** What is left where a later snapshot of the same thing exists. */
const OUTDATED = 0.1;

/** What is left for an identifier of a result that only lists it. */
const LISTED = 0.1;

/** How strongly something is remembered that was said in a message, as a share of what it was one message later. */
export function recencyOf(message: number, messageCount: number): number {
  return (messageCount - message) ** -FADING;
}

/** Tells for each content of a conversation how strongly it reminds. */
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
    const identifier = (STRENGTHS[kind].identifier + active * ACTIVE_FILE.identifier) * recency;
    const listed = kind === "result" || kind === "failure" ? identifier * LISTED : identifier;
    return { identifier, listed, line: (STRENGTHS[kind].line + active * ACTIVE_FILE.line) * recency };
  };
}

/** Names of arguments that hold what an edit looks for, and so what is gone after it. */
const REPLACED = /old|search|find/i;

function kindOf({ level, role, at, use }: Content, userAuthored: readonly boolean[]): Kind {
  if (level === "parameters") return REPLACED.test(String(at.path.findLast(isName) ?? "")) ? "replaced" : "argument";
  if (level === "result") return use?.isError === true ? "failure" : "result";
  if (role === "assistant") return "assistant";
  return userAuthored[at.message] === true ? "user" : "result";
}

function isName(key: string | number): boolean {
  return typeof key === "string";
}

/** The latest message that changes each file: the files that are being worked on. */
function lastChanges(contents: readonly Content[]): ReadonlyMap<string, number> {
  const changed = new Map<string, number>();
  for (const { level, use, at } of contents) {
    const work = level === "parameters" && use !== undefined ? actionOf(use) : "other";
    if (use === undefined || (work !== "edit" && work !== "write")) continue;
    for (const { path } of filesOf(use.input)) changed.set(path, at.message);
  }
  return changed;
}

function fileActivity({ use }: Content, changed: ReadonlyMap<string, number>, messageCount: number): number {
  const files = use === undefined ? [] : filesOf(use.input);
  const latest = files.reduce((found, { path }) => Math.max(found, changed.get(path) ?? -1), -1);
  return latest === -1 ? 0 : recencyOf(latest, messageCount);
}

/** The latest message with each kind of note that clients add on their own account, such as the state of the editor. */
function latestSnapshots(contents: readonly Content[]): ReadonlyMap<string, number> {
  return new Map(contents.flatMap(({ use, at }) => (use?.callMessage === -1 ? [[use.name, at.message]] : [])));
}

function isOutdated({ level, use, at }: Content, snapshots: ReadonlyMap<string, number>): boolean {
  return level === "result" && use?.callMessage === -1 && snapshots.get(use.name) !== at.message;
}
