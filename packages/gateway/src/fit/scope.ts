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

/** Headers by which clients tell their sessions apart. */
const SESSION_HEADERS = ["x-claude-code-session-id", "x-session-id", "session-id", "session_id", "x-session-affinity"];

/** The session that a call belongs to, as it may be kept, for display and spending; what is reused never depends on it. */
export function sessionOf({ headers }: Call, history: History): string {
  const header = SESSION_HEADERS.map((name) => headers[name]).find((value) => value !== undefined && value !== "");
  const named = header ?? sessionInUser(history.head.user);
  return named === undefined ? (history.prefixes()[0] ?? "") : redactLookalikes(cleanName(named));
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
