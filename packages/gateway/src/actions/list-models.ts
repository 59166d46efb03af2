import { LonghaulError } from "@longhaul/conversation";
import type { Destination } from "@longhaul/fit";
import { credentialKind } from "@longhaul/models/kinds";
import { matchesModel, type RouteConfig, servesCredential } from "@longhaul/settings";
import { codecOf, type ListedModel } from "@longhaul/wire";
import type { Snapshot } from "../configuration/snapshot.ts";
import { jsonOutcome, type Outcome } from "../http/outcome.ts";
import type { Received, RequestContext } from "../request/request-context.ts";
import { mayUse, type RouteQuery, resolve } from "../stages/resolve.ts";

/** Lists the models of the routes that the key may use, or describes one of them. */
export async function listModels(received: Received, { snapshot }: RequestContext): Promise<Outcome> {
  const { endpoint, headers, query, caller } = received;
  const { wire, model } = endpoint;
  const { api } = codecOf(wire);
  const { key } = caller;
  const credential = credentialKind(headers);
  const describe = (id: string) => listed(id, destinationOf({ model: id, wire, credential, key }, snapshot));
  if (model !== undefined) return jsonOutcome(api.encodeModel(describe(model)));
  const names = listedNames(credential, snapshot).filter((name) => key === undefined || mayUse(key, name, snapshot));
  return jsonOutcome(api.encodeModels(names.map(describe), new URLSearchParams(query)));
}

/** Returns the first destination, whose limits are listed. Throws `route.unknown` if no route serves the name. */
function destinationOf(query: RouteQuery, snapshot: Snapshot): Destination {
  const [destination] = resolve(query, snapshot);
  if (destination !== undefined) return destination;
  throw new LonghaulError(
    "route.unknown",
    `no upstream serves the model "${query.model}"; list the models with GET /v1/models`,
    { param: "model" },
  );
}

/** Returns the names that routes serve for a credential, in the order of the routes, each once. */
function listedNames(credential: RouteQuery["credential"], snapshot: Snapshot): string[] {
  const routes = snapshot.config.routes
    .filter((route) => servesCredential(route, credential))
    .filter(({ upstream }) => [upstream].flat().every((id) => handlesOf(id, snapshot).length > 0));
  const last = routes.findIndex(({ match }) => match === "*");
  // Routes after one for every model get no requests.
  const names = (last === -1 ? routes : routes.slice(0, last + 1)).flatMap((route) =>
    route.match.includes("*") ? catalogNames(route, snapshot) : [route.match],
  );
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
