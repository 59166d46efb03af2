import { hash } from "node:crypto";
import { findStrategy } from "@longhaul/condense";
import { isJsonObject, type JsonObject, parseJsonText, type Request, stableStringify } from "@longhaul/conversation";
import type { Destination } from "../destinations/destination.ts";
import type { History } from "../history/history.ts";
import type { Call } from "../request/call.ts";
import { cleanName, isUnguessable, type Naming, redactLookalikes } from "../request/naming.ts";

/** Whose state it is, and what it was made with: nothing is shared between two scopes. */
export function scopeOf({ handle, model, context }: Destination, owner: string): string {
  const { strategy, config, prompt = "" } = context;
  const { version } = findStrategy(strategy);
  // What is only watched is made without a model: nothing of it is to be sent later.
  const watched = context.mode === "observe" ? "observe" : "";
  const { id } = handle.connection.upstream;
  const spelled = [owner, id, model, strategy, version, spellConfig(config), prompt, watched];
  return hash("sha256", stableStringify(spelled));
}

function spellConfig(config: unknown): string {
  return JSON.stringify(config, (_, value: unknown) =>
    isJsonObject(value) ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))) : value,
  );
}

/** A session and, if it is a sub-agent's, the session that started it. Both are safe to store. */
export interface SessionName {
  readonly session: string;
  /** Empty for a main thread. */
  readonly parent: string;
}

/** The headers that clients name their sessions in. */
const SESSION_HEADERS = ["x-claude-code-session-id", "x-session-id", "session-id", "session_id", "x-session-affinity"];

/** Reads the names that a client gives to its session, its account and the thread of a sub-agent. */
export function namingOf({ headers }: Pick<Call, "headers">, { user, extra }: Pick<Request, "user" | "extra">): Naming {
  const header = SESSION_HEADERS.map((name) => headers[name]).find((value) => value !== undefined && value !== "");
  const told = user === undefined ? {} : readUser(user);
  const session = header ?? told.session ?? cacheKeyIn(extra);
  const conversation = session === undefined ? undefined : threadOf(headers, session).session;
  return { session, conversation, account: told.account };
}

/** Codex names its conversation here. Others share one key among all their users, so only a name drawn by chance counts. */
function cacheKeyIn(extra: JsonObject | undefined): string | undefined {
  const key = extra?.prompt_cache_key;
  return typeof key === "string" && isUnguessable(key) ? key : undefined;
}

/** Claude Code writes both into the user's id: as JSON, or as `user_…_account_…_session_…` in versions before 2.1. */
function readUser(user: string): Naming {
  const { account, session } = /_account_(?<account>[\da-f-]*)_session_(?<session>[\da-f-]+)$/.exec(user)?.groups ?? {};
  if (session !== undefined) return { session, account };
  const parsed = user.startsWith("{") && user.length < MAX_USER_CHARS ? parse(user) : undefined;
  if (!isJsonObject(parsed)) return {};
  const { session_id, account_uuid } = parsed;
  return {
    ...(typeof session_id === "string" && session_id !== "" && { session: session_id }),
    ...(typeof account_uuid === "string" && { account: account_uuid }),
  };
}

/** Claude Code's has some 200; a longer one is not parsed. */
const MAX_USER_CHARS = 4_096;

function parse(text: string): unknown {
  try {
    return parseJsonText(text);
  } catch {
    return undefined;
  }
}

/** Names the session of a call, for display and spending. */
export function sessionOf({ headers }: Call, named: Naming, history: Pick<History, "prefixes">): SessionName {
  if (named.session === undefined) return { session: history.prefixes()[0] ?? "", parent: "" };
  const { session, parent } = threadOf(headers, named.session);
  const [own, above] = [session, parent].map((name) => redactLookalikes(cleanName(name)));
  return { session: own ?? "", parent: above === own ? "" : (above ?? "") };
}

/**
 * Sub-agents have sessions of their own. Claude Code names the agent beside the session, Codex the thread and its parent, opencode the
 * parent of the session.
 */
function threadOf(headers: Call["headers"], session: string): SessionName {
  const agent = headers["x-claude-code-agent-id"];
  if (agent) {
    const above = headers["x-claude-code-parent-agent-id"];
    return { session: `${session}:${agent}`, parent: above ? `${session}:${above}` : session };
  }
  const thread = headers["thread-id"];
  const parentThread = headers["x-codex-parent-thread-id"];
  const isSubAgent = Boolean(parentThread || headers["x-openai-subagent"]);
  if (thread && isSubAgent) return { session: thread, parent: parentThread || session };
  return { session, parent: headers["x-parent-session-id"] ?? "" };
}
