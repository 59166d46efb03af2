import { LruMap } from "@longhaul/conversation/advanced";
import type { History } from "../history/history.ts";
import type { Call } from "../request/call.ts";

/** Names of sessions, and which of them have a title, while the process runs. */
export interface Sessions {
  /**
   * Names the session of a call whose client names none, by the messages that it continues. Two calls that start with the same messages
   * are two sessions. After a restart, a conversation goes on under the name of the first one that started like it.
   */
  nameOf(call: Pick<Call, "id" | "caller">, history: ReadHistory): string;
  /** Whether a session still lacks a description. It is true for a few calls of a session at most. */
  lacksDescription(tenant: string, session: string): boolean;
  /** Marks a session as fully described. */
  described(tenant: string, session: string): void;
  /** A deleted session is described again. */
  forget(tenant: string, session: string): void;
}

const MAX_NAMES = 20_000;
const MAX_DESCRIBED = 50_000;

/** The first requests of a session may be a client's own, such as one for a quota. */
const MAX_ATTEMPTS = 3;

export function makeSessions(): Sessions {
  const attempts = new LruMap<number>(MAX_DESCRIBED);
  return {
    nameOf: makeNames(),
    lacksDescription: (tenant, session) => {
      const key = keyOf(tenant, session);
      const count = attempts.get(key) ?? 0;
      if (count < MAX_ATTEMPTS) attempts.set(key, count + 1);
      return count < MAX_ATTEMPTS;
    },
    described: (tenant, session) => attempts.set(keyOf(tenant, session), MAX_ATTEMPTS),
    forget: (tenant, session) => attempts.delete(keyOf(tenant, session)),
  };
}

function keyOf(tenant: string, session: string): string {
  return `${tenant}/${session}`;
}

function makeNames(): Sessions["nameOf"] {
  /** Sessions whose latest request ended with these messages. */
  const waiting = new LruMap<readonly string[]>(MAX_NAMES);
  const byCall = new LruMap<string>(MAX_NAMES);
  const takeContinued = (tenant: string, hashes: readonly string[]) => {
    const at = hashes.findLastIndex((hash) => waiting.get(keyOf(tenant, hash)) !== undefined);
    const key = keyOf(tenant, hashes[at] ?? "");
    const [session, ...others] = waiting.get(key) ?? [];
    // A repeated turn leaves its session where it is.
    if (at === hashes.length - 1 || session === undefined) return session;
    if (others.length === 0) waiting.delete(key);
    else waiting.set(key, others);
    return session;
  };
  const find = (id: string, tenant: string, { messages, prefixes }: ReadHistory) => {
    const hashes = prefixes();
    const replyAt = messages.findIndex(({ role }) => role === "assistant");
    if (replyAt === -1) {
      const start = hashes.at(-1) ?? "";
      return waiting.get(keyOf(tenant, start)) === undefined ? start : id;
    }
    return takeContinued(tenant, hashes) ?? hashes[Math.max(0, replyAt - 1)] ?? "";
  };
  return ({ id, caller: { tenant } }, history) => {
    const end = history.prefixes().at(-1);
    if (end === undefined) return "";
    const last = keyOf(tenant, end);
    const known = byCall.get(`${id} ${last}`);
    if (known !== undefined) return known;
    const session = find(id, tenant, history);
    const alike = (waiting.get(last) ?? []).filter((each) => each !== session);
    waiting.set(last, [...alike, session].slice(-MAX_ALIKE));
    byCall.set(`${id} ${last}`, session);
    return session;
  };
}

type ReadHistory = Pick<History, "messages" | "prefixes">;

/** Sessions with the same messages that may continue. */
const MAX_ALIKE = 100;
