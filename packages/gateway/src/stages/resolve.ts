import { LonghaulError, LruMap, ownValue, type WireId } from "@longhaul/conversation";
import { type Destination, destinationAt, type UnreadSuffix } from "@longhaul/fit";
import { describeReasoning, findModel, type ModelSuffix } from "@longhaul/models";
import {
  type ContextOverrides,
  matchesModel,
  mergeContext,
  type RouteConfig,
  requestContext,
} from "@longhaul/settings";
import type { Snapshot } from "../configuration/snapshot.ts";
import { readModelName, routeReasoning } from "../reasoning/read-model-name.ts";
import type { Call } from "../request/request-context.ts";

/** The model name and hints that a route is matched by. */
export interface RouteQuery {
  readonly model: string;
  readonly wire: WireId;
  /** Context settings of the client's key. */
  readonly ofKey?: ContextOverrides | undefined;
  /** Context settings in the request's headers. */
  readonly ofRequest?: ContextOverrides | undefined;
}

export interface RoutingSnapshot extends Pick<Snapshot, "config" | "catalog" | "handles" | "isContextDisabled"> {
  readonly log: Pick<Snapshot["log"], "warned">;
}

/** Reads the route query of a call. Throws `request.malformed` for a header with an invalid value. */
export function routeQueryOf(call: Pick<Call, "model" | "endpoint" | "headers" | "caller">): RouteQuery {
  const { model, endpoint, headers, caller } = call;
  return { model, wire: endpoint.wire, ofKey: caller.key?.context, ofRequest: requestContext(headers) };
}

/** Returns the destinations for a model, in the order in which they are tried. Throws `route.unknown` if no route serves it. */
export function resolve(query: RouteQuery, snapshot: RoutingSnapshot): readonly Destination[] {
  const known = knownDestinations.get(snapshot) ?? new LruMap<readonly Destination[]>(MAX_KNOWN);
  knownDestinations.set(snapshot, known);
  const { model, wire, ofKey, ofRequest } = query;
  const chosen = ofKey === undefined && ofRequest === undefined ? "" : JSON.stringify([ofKey, ofRequest]);
  const key = `${wire} ${model} ${chosen}`;
  const destinations = known.get(key) ?? openDestinations(query, snapshot);
  known.set(key, destinations);
  return destinations;
}

/** Destinations never change within a snapshot, and few names make up nearly all requests. */
const knownDestinations = new WeakMap<RoutingSnapshot, LruMap<readonly Destination[]>>();
const MAX_KNOWN = 1_000;

/** Logs once how an unknown model's window was guessed, unless the operator has set it. */
function openDestinations(query: RouteQuery, snapshot: RoutingSnapshot): Destination[] {
  const destinations = findDestinations(query, snapshot);
  for (const { match, handle, windowTokens } of destinations) {
    const isSet = (windowTokens ?? handle.connection.upstream.windowTokens) !== undefined;
    if (match.warning !== undefined && !isSet) snapshot.log.warned(match.warning);
  }
  return destinations;
}

function findDestinations({ model, wire, ofKey, ofRequest }: RouteQuery, snapshot: RoutingSnapshot): Destination[] {
  const { config, isContextDisabled } = snapshot;
  const { base, suffix } = readModelName(model, snapshot);
  // For another vendor, an unknown suffix may be part of the name.
  const name = isUnread(suffix) ? model : base;
  const route = routeTo(name, config.routes) ?? routeTo(base, config.routes);
  if (route === undefined) throw unknownRoute(model, config.routes);
  const profile = route.profile === undefined ? undefined : ownValue(config.profiles, route.profile);
  const set = mergeContext(config.context, ofKey, profile?.context, route.context, ofRequest);
  const context = isContextDisabled ? { ...set, mode: "off" as const } : set;
  const settings = routeReasoning(route, config);
  return [route.upstream].flat().map((id) => {
    const routeModel = ownValue(route.models ?? {}, id) ?? route.model;
    const pinned = routeModel === undefined ? undefined : readModelName(routeModel, snapshot);
    const unread = [suffix, pinned?.suffix].find(isUnread);
    const reasoning = {
      ...(suffix?.requested && { suffix: suffix.requested }),
      ...(pinned?.suffix?.requested && { pinned: pinned.suffix.requested }),
      ...(unread && { unread: describeUnread(unread.text, pinned?.base ?? base, snapshot) }),
      settings,
    };
    const requested = isUnread(pinned?.suffix) ? routeModel : pinned?.base;
    const named = { requested: requested ?? name, isRenamed: routeModel !== undefined };
    return destinationAt(id, { ...named, wire, snapshot, context, reasoning, profile });
  });
}

function isUnread(suffix: ModelSuffix | undefined): boolean {
  return suffix !== undefined && suffix.requested === undefined;
}

function describeUnread(text: string, base: string, { catalog }: RoutingSnapshot): UnreadSuffix {
  return { text, base, takes: describeReasoning(findModel(catalog, base).model) };
}

function routeTo(name: string, routes: readonly RouteConfig[]): RouteConfig | undefined {
  return routes.find(({ match }) => matchesModel(match, name));
}

function unknownRoute(model: string, routes: readonly RouteConfig[]): LonghaulError {
  const known = routes.map(({ match }) => match).join(", ") || "none";
  return new LonghaulError(
    "route.unknown",
    `no route serves the model "${model}" (routes: ${known}); add one under routes in the configuration`,
    { param: "model" },
  );
}
