import { hash } from "node:crypto";
import { LruMap } from "@longhaul/conversation/advanced";
import type { History } from "../history/history.ts";
import type { Call } from "../request/call.ts";

/** Names of sessions, and which of them have a title, while the process runs. */
export interface Sessions {
  /**
   * Names the session of a call whose client names none, by the messages that it continues. Two calls that start with the same messages
   * are two sessions. After a restart, a conversation goes on under the name of the first one that started like it, with the same system
   * prompt.
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
  const waiting = new LruMap<readonly Waiting[]>(MAX_NAMES, ({ length }) => length);
  const byCall = new LruMap<string>(MAX_NAMES);
  /** Sessions by the messages before their first reply. */
  const started = new LruMap<readonly Waiting[]>(MAX_NAMES, ({ length }) => length);
  const takeContinued = (tenant: string, hashes: readonly string[], head: string) => {
    const at = (prefix: string) => waiting.get(keyOf(tenant, prefix)) ?? [];
    // A system prompt may change from turn to turn, but of several sessions the one with the same prompt is meant.
    const same = hashes.findLastIndex((prefix) => withHead(at(prefix), head) !== undefined);
    const last = same === -1 ? hashes.findLastIndex((prefix) => at(prefix).length > 0) : same;
    const all = at(hashes[last] ?? "");
    const found = withHead(all, head) ?? all[0];
    // A repeated turn leaves its session where it is.
    if (last === hashes.length - 1 || found === undefined) return found?.session;
    const key = keyOf(tenant, hashes[last] ?? "");
    const others = all.filter((each) => each !== found);
    if (others.length === 0) waiting.delete(key);
    else waiting.set(key, others);
    return found.session;
  };
  const start = (key: string, session: string, head: string) => {
    started.set(key, [...(started.get(key) ?? []), { session, head }].slice(-MAX_ALIKE));
    return session;
  };
  const find = (id: string, tenant: string, { messages, prefixes, headPrint }: ReadHistory) => {
    const hashes = prefixes();
    const head = headPrint();
    const replyAt = messages.findIndex(({ role }) => role === "assistant");
    const opening = hashes.at(replyAt === -1 ? -1 : Math.max(0, replyAt - 1)) ?? "";
    const key = keyOf(tenant, opening);
    const alike = started.get(key) ?? [];
    // The same after a restart.
    const name = hash("sha256", `${head} ${opening}`);
    if (replyAt === -1) return start(key, alike.some(({ session }) => session === name) ? id : name, head);
    // A client may have edited its history.
    const known = takeContinued(tenant, hashes, head) ?? (withHead(alike, head) ?? alike.at(-1))?.session;
    return known ?? start(key, name, head);
  };
  return ({ id, caller: { tenant } }, history) => {
    const end = history.prefixes().at(-1);
    if (end === undefined) return "";
    const last = keyOf(tenant, end);
    const known = byCall.get(`${id} ${last}`);
    if (known !== undefined) return known;
    const session = find(id, tenant, history);
    const alike = (waiting.get(last) ?? []).filter((each) => each.session !== session);
    waiting.set(last, [...alike, { session, head: history.headPrint() }].slice(-MAX_ALIKE));
    byCall.set(`${id} ${last}`, session);
    return session;
  };
}

function withHead(sessions: readonly Waiting[], head: string): Waiting | undefined {
  return sessions.find((each) => each.head === head);
}

type ReadHistory = Pick<History, "messages" | "prefixes" | "headPrint">;

/** A session that may continue, and the fingerprint of its system prompt and tools. */
interface Waiting {
  readonly session: string;
  readonly head: string;
}

/** Sessions with the same messages that may continue. */
const MAX_ALIKE = 100;
