import { LonghaulError } from "@longhaul/conversation";
import {
  forgottenSchema,
  sessionDetailSchema,
  sessionQuerySchema,
  sessionsQuerySchema,
  sessionsSchema,
  sessionValuesSchema,
} from "../api/sessions.ts";
import { choices, withoutUndefined } from "./event-routes.ts";
import { type AdminContext, type Route, route } from "./route.ts";

const MAX_TURNS = 2_000;
const MAX_CHILDREN = 500;
/** More sub-agents than any session has. */
const ALL_CHILDREN = 1_000_000;

export const SESSION_ROUTES: readonly Route[] = [
  route("GET", "/sessions", {
    summary: "Lists sessions with their sub-agents, most recently used first unless sorted otherwise.",
    query: sessionsQuerySchema,
    answer: sessionsSchema,
    run: async ({ query }, { store: { events } }) => {
      const { limit, sort, condensed, failed, beforeMs, beforeValue, beforeSession, beforeTenant, ...rest } = query;
      const which = { ...withoutUndefined(rest), ...choices({ isCondensed: condensed, hasFailed: failed }) };
      const value = beforeValue === undefined || sort === "project" ? beforeValue : Number(beforeValue);
      const before = beforeMs !== undefined && {
        ...{ lastAtMs: beforeMs, session: beforeSession, tenant: beforeTenant },
        ...(value !== undefined && { value }),
      };
      const sessions = await events.sessions({ limit, sort, ...which, ...(before && { before }) });
      const parents = sessions.map(({ session }) => session);
      const children = parents.length === 0 ? [] : await events.sessions({ limit: MAX_CHILDREN, parents });
      return { sessions: [...sessions], children: [...children] };
    },
  }),
  route("GET", "/session-values", {
    summary: "Lists the clients, projects, models and keys that sessions can be filtered by.",
    answer: sessionValuesSchema,
    run: async (_, { store }) => {
      const { clients, projects, models, keyIds } = await store.events.sessionValues();
      return { clients: [...clients], projects: [...projects], models: [...models], keyIds: [...keyIds] };
    },
  }),
  route("GET", "/session", {
    summary: "Returns the turns and condensations of one session.",
    query: sessionQuerySchema,
    answer: sessionDetailSchema,
    run: async ({ query: { session: id, tenant } }, { store }) => {
      const which = { tenant, session: id, limit: MAX_TURNS };
      const [session, turns, condensations, children] = await Promise.all([
        store.events.session(tenant, id),
        store.events.requests(which),
        store.events.condensations(which),
        store.events.sessions({ tenant, parent: id, limit: MAX_CHILDREN }),
      ]);
      if (session === undefined || turns.length === 0)
        throw new LonghaulError("request.not-kept", `session "${id}" not found`);
      return {
        session,
        turns: turns.toReversed(),
        condensations: condensations.toReversed(),
        parent: turns[0]?.parent ?? "",
        children: [...children],
        isCut: turns.length === MAX_TURNS,
      };
    },
  }),
  route("DELETE", "/session", {
    summary: "Deletes a session and its sub-agents: events, contents and condensations. Totals stay.",
    query: sessionQuerySchema,
    answer: forgottenSchema,
    run: async ({ query: { session: id, tenant } }, { store, fitting }) => {
      const forgotten = { epochs: 0, events: 0, contents: 0 };
      for (const session of await withSubAgents(tenant, id, store)) {
        forgotten.epochs += await store.epochs.clear({ tenant, session });
        fitting.epochs.forget(tenant, session);
        fitting.sessions.forget(tenant, session);
        forgotten.events += await store.events.clear(tenant, session);
        forgotten.contents += await store.contents.clear(tenant, session);
      }
      return forgotten;
    },
  }),
];

/** Returns a session and all sessions that it started. Ends even if clients name each other as parents. */
async function withSubAgents(tenant: string, id: string, { events }: AdminContext["store"]): Promise<Set<string>> {
  const found = new Set([id]);
  for (const parent of found) {
    if (parent === "") continue;
    const children = await events.sessions({ tenant, parent, limit: ALL_CHILDREN });
    for (const { session } of children) found.add(session);
  }
  return found;
}
