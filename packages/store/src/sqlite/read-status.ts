// Imports little: a client's status line calls it after every turn, and must not wait for the code of a whole store.
import type { DatabaseSync } from "node:sqlite";
import { LonghaulError } from "@longhaul/conversation/error";

/** The figures of a session's latest successful request, and of the session; those are 0 if it is not stored. */
export interface SessionStatus {
  readonly windowTokens: number;
  readonly originalTokens: number;
  readonly sentTokens: number;
  /** The prompt by the vendor's count. */
  readonly promptTokens: number;
  readonly condensations: number;
  readonly costUsd: number;
  readonly savedUsd: number;
}

/**
 * Reads the status of a session, or of the most recently used main thread with an answer if none is named, from a SQLite file without changing it. Returns
 * `undefined` for an unknown session. Throws `store.damaged` for a file that it cannot read.
 */
export async function readStatus(path: string, session: string | undefined): Promise<SessionStatus | undefined> {
  const { DatabaseSync } = await import("node:sqlite");
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(path, { readOnly: true, timeout: BUSY_TIMEOUT_MS });
    const id = session ?? database.prepare(LATEST_SESSION).get()?.session;
    if (typeof id !== "string") return undefined;
    const row = database.prepare(STATUS).get({ session: id });
    return row && statusOf(row);
  } catch (cause) {
    throw new LonghaulError("store.damaged", `the database ${path} cannot be read`, { cause });
  } finally {
    database?.close();
  }
}

const BUSY_TIMEOUT_MS = 500;

const ANSWERED = "requests.status < 400 and requests.error_code = '' and requests.action <> 'aside'";

const LATEST_SESSION = `select session from sessions where last_at_ms >= 0
  and exists (select 1 from requests where requests.session = sessions.session and requests.tenant = sessions.tenant and ${ANSWERED})
  and (parent = '' or not exists
  (select 1 from sessions as parents where parents.session = sessions.parent and parents.tenant = sessions.tenant and parents.last_at_ms >= 0))
  order by last_at_ms desc limit 1`;

const STATUS = `select requests.window_tokens, requests.original_tokens, requests.sent_tokens,
  requests.input_tokens + requests.cache_read_tokens + requests.cache_write_tokens as prompt_tokens,
  coalesce(sessions.condensations, 0) as condensations, coalesce(sessions.cost_usd, 0) as cost_usd, coalesce(sessions.saved_usd, 0) as saved_usd
  from requests left join sessions on sessions.session = requests.session and sessions.tenant = requests.tenant
  where requests.session = :session and ${ANSWERED} order by requests.at_ms desc limit 1`;

function statusOf(row: Readonly<Record<string, unknown>>): SessionStatus {
  const figure = (name: string) => Number(row[name] ?? 0);
  return {
    windowTokens: figure("window_tokens"),
    originalTokens: figure("original_tokens"),
    sentTokens: figure("sent_tokens"),
    promptTokens: figure("prompt_tokens"),
    condensations: figure("condensations"),
    costUsd: figure("cost_usd"),
    savedUsd: figure("saved_usd"),
  };
}
