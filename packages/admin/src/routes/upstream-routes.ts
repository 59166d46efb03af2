import { BUILT_IN_KIND, UPSTREAM_KIND_NAMES } from "@longhaul/models/kinds";
import { upstreamFields } from "@longhaul/settings";
import type { UpstreamHandle } from "@longhaul/upstream";

import { testedUpstreamSchema, upstreamsSchema, upstreamTestSchema } from "../api/sections.ts";
import { callRecorder } from "../host/own-calls.ts";
import { type Route, route } from "./route.ts";
import { changeRoutes, routesTo, sectionsOf } from "./settings-sections.ts";
import { testUpstream } from "./test-upstream.ts";

export const UPSTREAM_ROUTES: readonly Route[] = [
  route("GET", "/upstreams", {
    summary: "Lists the upstreams and their state.",
    answer: upstreamsSchema,
    run: async (_, { settings, snapshots }) => {
      const { config, handles } = snapshots.current();
      return {
        kinds: UPSTREAM_KIND_NAMES.map((kind) => ({ kind, fields: upstreamFields(kind) })),
        upstreams: sectionsOf("upstreams", settings).map((section) => ({
          ...section,
          kind: config.upstreams[section.name]?.kind ?? "",
          ...stateOf(handles.get(section.name) ?? [], config.upstreams[section.name]?.kind),
          routes: routesTo("upstreams", section.name, config),
        })),
      };
    },
  }),
  ...changeRoutes("upstreams"),
  route("POST", "/upstreams/:name/test", {
    summary: "Tests an upstream: requests its model list, or a few tokens from a model.",
    body: upstreamTestSchema,
    answer: testedUpstreamSchema,
    run: async ({ params: { name = "" }, body: { model }, signal }, context) => {
      const { snapshot, leave } = context.snapshots.enter();
      const record = callRecorder(context, snapshot);
      const startedMs = performance.now();
      try {
        const tested = await testUpstream(name, model, { snapshot, signal, record });
        return { ...tested, ms: Math.round(performance.now() - startedMs) };
      } finally {
        leave();
      }
    },
  }),
];

function stateOf(handles: readonly UpstreamHandle[], kind: string | undefined) {
  const isClients = handles.some(({ connection }) => connection.upstream.auth.kind === "client");
  const owner = isClients ? ("client" as const) : ("gateway" as const);
  return {
    credential: kind === BUILT_IN_KIND ? ("none" as const) : owner,
    connections: handles.map(({ connection: { upstream }, circuit }) => ({
      platform: upstream.deployment.platform,
      wires: [...upstream.deployment.wires],
      isCircuitOpen: circuit.isOpen,
    })),
  };
}
