import { LonghaulError } from "@longhaul/conversation";
import type { z } from "zod";
import { type RouteMatchAnswer, routeMatchQuerySchema, routeMatchSchema } from "../api/sections.ts";
import { type AdminContext, type Route, route } from "./route.ts";

export const MATCH_ROUTES: readonly Route[] = [
  route("GET", "/routes/match", {
    summary: "Shows which route a model name takes, and where it leads.",
    query: routeMatchQuerySchema,
    answer: routeMatchSchema,
    run: async ({ query }, context) => {
      try {
        return matchModel(query, context);
      } catch (error) {
        if (!(error instanceof LonghaulError)) throw error;
        return { skipped: [], destinations: [], why: error.message };
      }
    },
  }),
];

function matchModel(query: z.output<typeof routeMatchQuerySchema>, context: AdminContext): RouteMatchAnswer {
  const { snapshots, findRoute, resolve } = context;
  const snapshot = snapshots.current();
  const { routes, upstreams } = snapshot.config;
  const { route: found, name } = findRoute(query, snapshot);
  const index = routes.indexOf(found);
  const at = { index, match: found.match, name, skipped: routes.slice(0, index).map(({ match }) => match) };
  const [first = ""] = [found.upstream].flat();
  const wire = snapshot.handles.get(first)?.[0]?.connection.upstream.deployment.wires[0] ?? "openai-chat";
  try {
    const destinations = resolve({ ...query, wire }, snapshot).map((destination) => {
      const { id } = destination.handle.connection.upstream;
      return { upstream: id, kind: upstreams[id]?.kind ?? "", model: destination.model, wire: destination.wire };
    });
    return { ...at, destinations };
  } catch (error) {
    if (!(error instanceof LonghaulError)) throw error;
    return { ...at, destinations: [], why: error.message };
  }
}
