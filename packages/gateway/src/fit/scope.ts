import { hash } from "node:crypto";
import { findStrategy } from "@longhaul/condense";
import { isJsonObject, spellJson } from "@longhaul/conversation";
import type { Call } from "../call.ts";
import { cleanName } from "../clean-name.ts";
import { redactLookalikes } from "../logging/redact.ts";
import type { Target } from "../target.ts";
import type { History } from "./history.ts";

/** Whose state it is, and what it was made with: nothing is shared between two scopes. */
export function scopeOf({ place, model, context }: Target, tenant: string): string {
  const { strategy, config, prompt = "" } = context;
  const { version } = findStrategy(strategy);
  // What is only watched is made without a model: nothing of it is to be sent later.
  const watched = context.mode === "observe" ? "observe" : "";
  const { id } = place.connection.upstream;
  const spelled = [tenant, id, model, strategy, version, spellConfig(config), prompt, watched];
  return hash("sha256", spellJson(spelled));
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

/** Names the session of a call, for display and spending. What is reused never depends on it. */
export function sessionOf({ headers }: Call, history: History): SessionName {
  const header = SESSION_HEADERS.map((name) => headers[name]).find((value) => value !== undefined && value !== "");
  const named = header ?? sessionInUser(history.head.user);
  if (named === undefined) return { session: history.prefixes()[0] ?? "", parent: "" };
  const { session, parent } = threadOf(headers, named);
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

/** Claude Code says it in JSON inside the user's id. */
function sessionInUser(user: string | undefined): string | undefined {
  if (user === undefined || !user.startsWith("{")) return undefined;
  try {
    const parsed: unknown = JSON.parse(user);
    return isJsonObject(parsed) && typeof parsed.session_id === "string" ? parsed.session_id : undefined;
  } catch {
    return undefined;
  }
}
