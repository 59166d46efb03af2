import { LonghaulError, LruMap, ownValue, type WireId } from "@longhaul/conversation";
import { type Destination, destinationAt, type UnreadSuffix } from "@longhaul/fit";
import { describeReasoning, findModel, type ModelSuffix } from "@longhaul/models";
import { credentialKind, type UpstreamKindName } from "@longhaul/models/kinds";
import {
  type ContextOverrides,
  credentialUpstreams,
  matchesModel,
  mergeContext,
  type RouteConfig,
  requestContext,
  servesCredential,
} from "@longhaul/settings";
import type { UpstreamHandle } from "@longhaul/upstream";
import type { Snapshot } from "../configuration/snapshot.ts";
import { readModelName, routeReasoning } from "../reasoning/read-model-name.ts";
import type { Call } from "../request/request-context.ts";

/** The model name and hints that a route is matched by. */
export interface RouteQuery {
  readonly model: string;
  readonly wire: WireId;
  /** The kind whose own credential the request carries. @default none */
  readonly credential?: UpstreamKindName | undefined;
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
  const credential = credentialKind(headers);
  return { model, wire: endpoint.wire, credential, ofKey: caller.key?.context, ofRequest: requestContext(headers) };
}

/** Returns the destinations for a model, in the order in which they are tried. Throws `route.unknown` if no route serves it. */
export function resolve(query: RouteQuery, snapshot: RoutingSnapshot): readonly Destination[] {
  const known = knownDestinations.get(snapshot) ?? new LruMap<readonly Destination[]>(MAX_KNOWN);
  knownDestinations.set(snapshot, known);
  const { model, wire, credential = "", ofKey, ofRequest } = query;
  const chosen = ofKey === undefined && ofRequest === undefined ? "" : JSON.stringify([ofKey, ofRequest]);
  const key = `${wire} ${credential} ${model} ${chosen}`;
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

function findDestinations(query: RouteQuery, snapshot: RoutingSnapshot): Destination[] {
  const { model, wire, ofKey, ofRequest } = query;
  const { config, isContextDisabled } = snapshot;
  const routes = config.routes.filter((route) => servesCredential(route, query.credential));
  const { base, suffix } = readModelName(model, snapshot);
  // For another vendor, an unknown suffix may be part of the name.
  const name = isUnread(suffix) ? model : base;
  const route = routeTo(name, routes) ?? routeTo(base, routes);
  if (route === undefined) throw unknownRoute(model, routes);
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

/**
 * Returns the upstreams for a request that names no model: first those of the request's credential. Upstreams of other credentials are left
 * out, because they would get this one.
 */
export function handlesFor(credential: UpstreamKindName | undefined, snapshot: RoutingSnapshot): UpstreamHandle[] {
  const { routes } = snapshot.config;
  const own = routes.filter((route) => credential !== undefined && route.credential === credential);
  const limited = credentialUpstreams(snapshot.config);
  const ids = [
    ...own.flatMap(({ upstream }) => upstream),
    ...[...snapshot.handles.keys()].filter((id) => !limited.has(id)),
  ];
  return [...new Set(ids)].flatMap((id) => snapshot.handles.get(id) ?? []);
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
