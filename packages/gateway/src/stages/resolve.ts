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
import type { Call } from "../call.ts";
import type { Snapshot } from "../configuration/snapshot.ts";
import { readModelName } from "../reasoning/read-model-name.ts";
import { routeReasoning } from "../reasoning/route-reasoning.ts";

/** What a client asks for. */
export interface Wish {
  readonly model: string;
  readonly wire: WireId;
  /** What is set for the client's key. */
  readonly ofKey?: ContextOverrides | undefined;
  /** What the request chooses for itself. */
  readonly ofRequest?: ContextOverrides | undefined;
}

/** What routing reads of a snapshot. */
export interface RoutingSnapshot extends Pick<Snapshot, "config" | "catalog" | "handles" | "isContextDisabled"> {
  readonly log: Pick<Snapshot["log"], "warned">;
}

/** What a call asks for. A header with a bad value throws `request.malformed`. */
export function wishOf(call: Pick<Call, "model" | "endpoint" | "headers" | "caller">): Wish {
  const { model, endpoint, headers, caller } = call;
  return { model, wire: endpoint.wire, ofKey: caller.key?.context, ofRequest: requestContext(headers) };
}

/** The destinations for a model, in the order in which they are tried. No route, or none that leads anywhere, throws `route.unknown`. */
export function resolve(wish: Wish, snapshot: RoutingSnapshot): readonly Destination[] {
  const known = knownDestinations.get(snapshot) ?? new LruMap<readonly Destination[]>(MAX_KNOWN);
  knownDestinations.set(snapshot, known);
  const { model, wire, ofKey, ofRequest } = wish;
  const chosen = ofKey === undefined && ofRequest === undefined ? "" : JSON.stringify([ofKey, ofRequest]);
  const key = `${wire} ${model} ${chosen}`;
  const destinations = known.get(key) ?? meetDestinations(wish, snapshot);
  known.set(key, destinations);
  return destinations;
}

/** What a snapshot says of a name never changes, and a few names make up nearly all requests. */
const knownDestinations = new WeakMap<RoutingSnapshot, LruMap<readonly Destination[]>>();
const MAX_KNOWN = 1_000;

/** Whoever set the window needs no guess at it; all others are told once how it was guessed. */
function meetDestinations(wish: Wish, snapshot: RoutingSnapshot): Destination[] {
  const destinations = findDestinations(wish, snapshot);
  for (const { match, handle, windowTokens } of destinations) {
    const isSet = (windowTokens ?? handle.connection.upstream.windowTokens) !== undefined;
    if (match.warning !== undefined && !isSet) snapshot.log.warned(match.warning);
  }
  return destinations;
}

function findDestinations({ model, wire, ofKey, ofRequest }: Wish, snapshot: RoutingSnapshot): Destination[] {
  const { config, isContextDisabled } = snapshot;
  const { base, suffix } = readModelName(model, snapshot);
  // What is no suffix to us may be part of a name elsewhere.
  const name = isUnread(suffix) ? model : base;
  const route = routeTo(name, config.routes) ?? routeTo(base, config.routes);
  if (route === undefined) throw unknownRoute(model, config.routes);
  const profile = route.profile === undefined ? undefined : ownValue(config.profiles, route.profile);
  const set = mergeContext(config.context, ofKey, profile?.context, route.context, ofRequest);
  const context = isContextDisabled ? { ...set, mode: "off" as const } : set;
  const settings = routeReasoning(route, config);
  return [route.upstream].flat().map((id) => {
    const led = ownValue(route.models ?? {}, id) ?? route.model;
    const pinned = led === undefined ? undefined : readModelName(led, snapshot);
    const unread = [suffix, pinned?.suffix].find(isUnread);
    const reasoning = {
      ...(suffix?.wish && { suffix: suffix.wish }),
      ...(pinned?.suffix?.wish && { pinned: pinned.suffix.wish }),
      ...(unread && { unread: describeUnread(unread.text, pinned?.base ?? base, snapshot) }),
      settings,
    };
    const wished = isUnread(pinned?.suffix) ? led : pinned?.base;
    const named = { wished: wished ?? name, isRenamed: led !== undefined };
    return destinationAt(id, { ...named, wire, snapshot, context, reasoning, profile });
  });
}

function isUnread(suffix: ModelSuffix | undefined): boolean {
  return suffix !== undefined && suffix.wish === undefined;
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
  );
}
