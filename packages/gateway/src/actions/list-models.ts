import { LonghaulError, type WireId } from "@longhaul/conversation";
import type { Destination } from "@longhaul/fit";
import { matchesModel, type RouteConfig } from "@longhaul/settings";
import { codecOf, type ListedModel } from "@longhaul/wire";
import type { Snapshot } from "../configuration/snapshot.ts";
import { jsonOutcome, type Outcome } from "../http/outcome.ts";
import type { Received, RequestContext } from "../request/request-context.ts";
import { resolve } from "../stages/resolve.ts";

/** Lists the models of the routes, or describes one of them. */
export async function listModels({ endpoint, query }: Received, { snapshot }: RequestContext): Promise<Outcome> {
  const { wire, model } = endpoint;
  const { api } = codecOf(wire);
  const describe = (id: string) => listed(id, destinationOf(id, wire, snapshot));
  if (model !== undefined) return jsonOutcome(api.encodeModel(describe(model)));
  return jsonOutcome(api.encodeModels(listedNames(snapshot).map(describe), new URLSearchParams(query)));
}

/** Returns the first destination, whose limits are listed. Throws `route.unknown` if no route serves the name. */
function destinationOf(model: string, wire: WireId, snapshot: Snapshot): Destination {
  const [destination] = resolve({ model, wire }, snapshot);
  if (destination !== undefined) return destination;
  throw new LonghaulError(
    "route.unknown",
    `no upstream serves the model "${model}"; list the models with GET /v1/models`,
    { param: "model" },
  );
}

/** Returns the names that routes serve, in the order of the routes, each once. */
function listedNames(snapshot: Snapshot): string[] {
  const names = snapshot.config.routes
    .filter(({ upstream }) => [upstream].flat().every((id) => handlesOf(id, snapshot).length > 0))
    .flatMap((route) => (route.match.includes("*") ? catalogNames(route, snapshot) : [route.match]));
  return [...new Set(names)];
}

function handlesOf(id: string, { handles }: Snapshot) {
  return handles.get(id) ?? [];
}

/** Returns the models that a pattern matches: those of its upstreams' platforms, or, if the route renames them, of the vendors themselves. */
function catalogNames({ match, upstream, model }: RouteConfig, snapshot: Snapshot): string[] {
  const ids = [upstream].flat().flatMap((id) => handlesOf(id, snapshot));
  const platforms = new Set(ids.map(({ connection }) => connection.upstream.deployment.platform));
  return snapshot.catalog.models
    .filter(({ platform, vendor }) => (model === undefined ? platforms.has(platform) : platform === vendor))
    .flatMap(({ id, name }) => [id, name].filter((known) => matchesModel(match, known)).slice(0, 1));
}

function listed(id: string, { handle, match, windowTokens }: Destination): ListedModel {
  const { vendor, window, maxInput, maxOutput } = match.model;
  const inputTokens = windowTokens ?? handle.connection.upstream.windowTokens ?? maxInput ?? window;
  return { id, vendor, inputTokens, outputTokens: maxOutput };
}
