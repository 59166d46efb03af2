import type { UpstreamHandle } from "@longhaul/fit";
import { testedUpstreamSchema, upstreamsSchema, upstreamTestSchema } from "../api/sections.ts";
import { type Route, route } from "./route.ts";
import { changeRoutes, routesTo, sectionsOf } from "./sections.ts";
import { testUpstream } from "./test-upstream.ts";

/** Where the models are. */
export const UPSTREAM_ROUTES: readonly Route[] = [
  route({
    method: "GET",
    path: "/upstreams",
    scope: "admin",
    summary: "Lists the upstreams, and how they are doing.",
    answer: upstreamsSchema,
    run: async (_, { settings, snapshots }) => {
      const { config, handles } = snapshots.current();
      return {
        upstreams: sectionsOf("upstreams", settings).map((section) => ({
          ...section,
          kind: config.upstreams[section.name]?.kind ?? "",
          ...doing(handles.get(section.name) ?? []),
          routes: routesTo("upstreams", section.name, config),
        })),
      };
    },
  }),
  ...changeRoutes("upstreams"),
  route({
    method: "POST",
    path: "/upstreams/:name/test",
    scope: "admin",
    summary: "Asks an upstream for its models, or one of them for a few tokens.",
    body: upstreamTestSchema,
    answer: testedUpstreamSchema,
    run: async ({ params: { name = "" }, body: { model }, signal }, { snapshots }) => {
      const { snapshot, leave } = snapshots.enter();
      const startedMs = performance.now();
      try {
        const tested = await testUpstream(name, model, { snapshot, signal });
        return { ...tested, ms: Math.round(performance.now() - startedMs) };
      } finally {
        leave();
      }
    },
  }),
];

function doing(handles: readonly UpstreamHandle[]) {
  const isClients = handles.some(({ connection }) => connection.upstream.auth.kind === "client");
  return {
    pays: isClients ? ("client" as const) : ("gateway" as const),
    places: handles.map(({ connection: { upstream }, circuit }) => ({
      platform: upstream.deployment.platform,
      wires: [...upstream.deployment.wires],
      isResting: circuit.isOpen,
    })),
  };
}
