import { hash } from "node:crypto";
import { findStrategy } from "@longhaul/condense/advanced";
import {
  isJsonObject,
  type JsonObject,
  type Request,
  stableStringify,
  tryParseJson,
} from "@longhaul/conversation/advanced";
import type { Destination } from "../destinations/destination.ts";
import type { Call } from "../request/call.ts";
import { cleanName, isUnguessable, type Naming, redactLookalikes } from "../request/naming.ts";

/**
 * Returns the scope of stored state: its owner, the settings that it was made with, and the pinned messages of its conversation. Scopes
 * share nothing.
 */
export function scopeOf({ handle, model, context }: Destination, owner: string, pins: readonly string[] = []): string {
  const { strategy, config, prompt = "" } = context;
  const { version } = findStrategy(strategy);
  // In observe mode condensations are made without a model and must never be sent.
  const watched = context.mode === "observe" ? "observe" : "";
  const { id } = handle.connection.upstream;
  const parts = [owner, id, model, strategy, version, stringifyConfig(config), prompt, watched, ...pins];
  return hash("sha256", stableStringify(parts));
}

function stringifyConfig(config: unknown): string {
  return JSON.stringify(config, (_, value: unknown) =>
    isJsonObject(value) ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))) : value,
  );
}

/** A session and, for a sub-agent, the session that started it. Both are safe to store. */
export interface SessionName {
  readonly session: string;
  /** Empty for a main thread. */
  readonly parent: string;
}

/** The headers in which clients name their sessions. */
const SESSION_HEADERS = ["x-claude-code-session-id", "x-session-id", "session-id", "session_id", "x-session-affinity"];

/** Reads the client's names for its session, its account and a sub-agent's thread. */
export function namingOf({ headers }: Pick<Call, "headers">, { user, extra }: Pick<Request, "user" | "extra">): Naming {
  const header = SESSION_HEADERS.map((name) => headers[name]).find((value) => value !== undefined && value !== "");
  const claimed = user === undefined ? {} : readUser(user);
  const session = header ?? claimed.session ?? cacheKeyIn(extra);
  const conversation = session === undefined ? undefined : threadOf(headers, session).session;
  return { session, conversation, account: claimed.account };
}

/** Codex names its conversation here. Others share one key among all users, so only a random name counts. */
function cacheKeyIn(extra: JsonObject | undefined): string | undefined {
  const key = extra?.prompt_cache_key;
  return typeof key === "string" && isUnguessable(key) ? key : undefined;
}

/** Claude Code writes both into the user id: as JSON, or as `user_…_account_…_session_…` in versions before 2.1. */
function readUser(user: string): Naming {
  const { account, session } = /_account_(?<account>[\da-f-]*)_session_(?<session>[\da-f-]+)$/.exec(user)?.groups ?? {};
  if (session !== undefined) return { session, account };
  const parsed = user.startsWith("{") && user.length < MAX_USER_CHARS ? tryParseJson(user) : undefined;
  if (!isJsonObject(parsed)) return {};
  const { session_id, account_uuid } = parsed;
  return {
    ...(typeof session_id === "string" && session_id !== "" && { session: session_id }),
    ...(typeof account_uuid === "string" && { account: account_uuid }),
  };
}

/** Claude Code's has about 200; a longer one is not parsed. */
const MAX_USER_CHARS = 4_096;

/** Returns a call's session, for display and spending. `unnamed` names it if the client does not. */
export function sessionOf({ headers }: Pick<Call, "headers">, named: Naming, unnamed: () => string): SessionName {
  if (named.session === undefined) return { session: unnamed(), parent: "" };
  const { session, parent } = threadOf(headers, named.session);
  const [own, above] = [session, parent].map((name) => redactLookalikes(cleanName(name)));
  return { session: own ?? "", parent: above === own ? "" : (above ?? "") };
}

/**
 * Sub-agents have their own sessions. Claude Code names the agent beside the session, Codex the thread and its parent, opencode the
 * session's parent.
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
