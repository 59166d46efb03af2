import { LonghaulError, LruMap, ownValue, type WireId } from "@longhaul/conversation/advanced";
import { type Destination, destinationAt, peekModels, type UnreadSuffix } from "@longhaul/fit";
import { describeReasoning, findModel, type ModelSuffix } from "@longhaul/models/advanced";
import { credentialKind, type UpstreamKindName } from "@longhaul/models/kinds";
import {
  type ContextOverrides,
  credentialUpstreams,
  foreignVendor,
  matchesModel,
  mergeContext,
  type OtherVendor,
  otherVendor,
  type RouteConfig,
  requestContext,
  servesCredential,
} from "@longhaul/settings";
import type { UpstreamHandle } from "@longhaul/upstream";
import type { Snapshot } from "../configuration/snapshot.ts";
import type { KeyHolder } from "../keys/caller.ts";
import { readModelName, routeReasoning } from "../reasoning/read-model-name.ts";
import type { Call } from "../request/request-context.ts";

type RouteKey = Pick<KeyHolder, "name" | "models" | "context">;

/** The model name and hints that a route is matched by. */
export interface RouteQuery {
  readonly model: string;
  readonly wire: WireId;
  /** The kind whose own credential the request carries. @default none */
  readonly credential?: UpstreamKindName | undefined;
  /** Further models that the request allows the upstream to use, as OpenRouter does. @default none */
  readonly alternatives?: readonly string[];
  /** The client's key: its context settings apply, and the models that it may use. Undefined if none is required. */
  readonly key: RouteKey | undefined;
  /** Context settings in the request's headers. */
  readonly ofRequest?: ContextOverrides | undefined;
}

export interface RoutingSnapshot extends Pick<Snapshot, "config" | "catalog" | "handles" | "isContextDisabled"> {
  readonly log: Pick<Snapshot["log"], "warned">;
}

/** Reads the route query of a call. Throws `request.malformed` for a header with an invalid value. */
export function routeQueryOf(call: Pick<Call, "model" | "endpoint" | "headers" | "caller" | "body">): RouteQuery {
  const { model, endpoint, headers, caller, body } = call;
  const from = { credential: credentialKind(headers), key: caller.key, ofRequest: requestContext(headers) };
  return { ...from, model, wire: endpoint.wire, alternatives: alternativesIn(body, caller.key) };
}

/**
 * Returns the destinations for a model, in the order in which they are tried. Throws `auth.denied` if the key may not use the model, and
 * `route.unknown` if no route serves it.
 */
export function resolve(query: RouteQuery, snapshot: RoutingSnapshot): readonly Destination[] {
  checkModel(query, snapshot);
  const known = knownDestinations.get(snapshot) ?? new LruMap<readonly Destination[]>(MAX_KNOWN, nameWeight);
  knownDestinations.set(snapshot, known);
  const { model, wire, credential = "", key, ofRequest } = query;
  const ofKey = key?.context;
  const chosen = ofKey === undefined && ofRequest === undefined ? "" : JSON.stringify([ofKey, ofRequest]);
  const name = `${wire} ${credential} ${model} ${chosen}`;
  const destinations = known.get(name) ?? openDestinations(query, snapshot);
  known.set(name, destinations);
  return destinations;
}

/** Returns the destinations for a request of the operator, which no key limits. */
export function resolveWithoutKey(query: Omit<RouteQuery, "key">, snapshot: RoutingSnapshot): readonly Destination[] {
  return resolve({ ...query, key: undefined }, snapshot);
}

/** Destinations never change within a snapshot, and few names make up nearly all requests. */
const knownDestinations = new WeakMap<RoutingSnapshot, LruMap<readonly Destination[]>>();
const MAX_KNOWN = 1_000;

/** Model names come from clients: a long one counts as several. */
function nameWeight(_: unknown, name: string): number {
  return Math.ceil(name.length / NAME_CHARS);
}

const NAME_CHARS = 1_000;

/** Logs once how an unknown model's window was guessed, unless the operator has set it. */
function openDestinations(query: RouteQuery, snapshot: RoutingSnapshot): Destination[] {
  const destinations = findDestinations(query, snapshot);
  for (const { match, handle, windowTokens } of destinations) {
    const isSet = (windowTokens ?? handle.connection.upstream.windowTokens) !== undefined;
    if (match.warning !== undefined && !isSet) snapshot.log.warned(match.warning);
  }
  warnOfGuess(query, snapshot);
  return destinations;
}

/** Warns once if only the route for all other models serves a name that belongs to another vendor, at an address that may not know it. */
function warnOfGuess(query: RouteQuery, snapshot: RoutingSnapshot): void {
  const { route, name } = findRoute(query, snapshot);
  const [id = ""] = [route.upstream].flat();
  const upstream = ownValue(snapshot.config.upstreams, id);
  if (upstream?.baseUrl === undefined || route.match !== "*" || routeModelAt(id, route) !== undefined) return;
  const vendor = foreignVendor(upstream.kind, name);
  if (vendor === undefined) return;
  snapshot.log.warned(
    `the model "${name}" belongs to ${vendor.name}, but only the route "*" serves it, which leads to ${id}; set ${vendor.variable}, or add a route for it`,
  );
}

/** Returns the route for a model, and the name that it was matched by. Throws `route.unknown` if there is none. */
export function findRoute({ model, credential }: Pick<RouteQuery, "model" | "credential">, snapshot: RoutingSnapshot) {
  const routes = snapshot.config.routes.filter((route) => servesCredential(route, credential));
  const { base, suffix, name } = requestedName(model, snapshot);
  const route = routeTo(name, routes) ?? routeTo(base, routes);
  if (route === undefined) throw unknownRoute(model, routes);
  return { route, name, base, suffix };
}

function findDestinations(query: RouteQuery, snapshot: RoutingSnapshot): Destination[] {
  const { wire, key, ofRequest } = query;
  const { config, isContextDisabled } = snapshot;
  const { route, name, base, suffix } = findRoute(query, snapshot);
  const profile = route.profile === undefined ? undefined : ownValue(config.profiles, route.profile);
  const set = mergeContext(config.context, key?.context, profile?.context, route.context, ofRequest);
  const context = isContextDisabled ? { ...set, mode: "off" as const } : set;
  const settings = routeReasoning(route, config);
  return upstreamsServing(query.model, { route, name }, snapshot).map((id) => {
    const routeModel = routeModelAt(id, route);
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

function routeModelAt(id: string, { models = {}, model }: RouteConfig): string | undefined {
  return ownValue(models, id) ?? model;
}

/** Returns the upstreams of a route that can serve a model. Throws `route.unknown` if it belongs to a vendor that none of them leads to. */
function upstreamsServing(
  model: string,
  { route, name }: { readonly route: RouteConfig; readonly name: string },
  { config }: RoutingSnapshot,
): string[] {
  const ids = [route.upstream].flat();
  const vendorAt = (id: string) => {
    const upstream = ownValue(config.upstreams, id);
    return upstream && otherVendor(upstream, routeModelAt(id, route) ?? name);
  };
  const serving = ids.filter((id) => vendorAt(id) === undefined);
  const vendor = serving.length > 0 || ids[0] === undefined ? undefined : vendorAt(ids[0]);
  if (vendor !== undefined) throw otherVendorsModel(routeModelAt(ids[0] ?? "", route) ?? model, ids, vendor);
  return serving;
}

function otherVendorsModel(model: string, ids: readonly string[], { name, variable }: OtherVendor): LonghaulError {
  return new LonghaulError(
    "route.unknown",
    `the model "${model}" belongs to ${name}, and the upstream of its route (${ids.join(", ")}) does not serve it; set ${variable} where the gateway runs, or add a route to another upstream`,
    { param: "model" },
  );
}

/** Returns a model's name without the suffix that selects reasoning. For another vendor, an unknown suffix may be part of the name. */
function requestedName(model: string, snapshot: RoutingSnapshot) {
  const { base, suffix } = readModelName(model, snapshot);
  return { base, suffix, name: isUnread(suffix) ? model : base };
}

/** Returns the further models that a body names. Without a limited key they do not matter. */
export function alternativesIn(body: Uint8Array, key: RouteKey | undefined): readonly string[] {
  return key === undefined || key.models.length === 0 ? [] : peekModels(body);
}

/** Throws `auth.denied` if the key is limited to other models. Where a route leads is the operator's choice, so only the name counts. */
function checkModel({ model, alternatives = [], key }: RouteQuery, snapshot: RoutingSnapshot): void {
  if (key === undefined) return;
  const denied = [model, ...alternatives].find((each) => !mayUse(key, each, snapshot));
  if (denied === undefined) return;
  throw new LonghaulError(
    "auth.denied",
    `API key "${key.name}" may not use the model "${denied}"; its models are ${key.models.join(", ")}: choose one of them, or ask the operator to allow it`,
    { param: "model" },
  );
}

/** Returns whether a key may use a model, whatever reasoning suffix its name has. */
export function mayUse({ models }: Pick<KeyHolder, "models">, model: string, snapshot: RoutingSnapshot): boolean {
  if (models.length === 0) return true;
  const { name } = requestedName(model, snapshot);
  return models.some((pattern) => matchesModel(pattern, name));
}

/**
 * Returns the upstreams for a request that names no model: first those of the request's credential. Upstreams of other credentials are left
 * out, because they would get this one. Throws `auth.denied` for a key that is limited to some models, because the upstream chooses the model.
 */
export function handlesFor(
  { credential, key }: Pick<RouteQuery, "credential" | "key">,
  snapshot: RoutingSnapshot,
): UpstreamHandle[] {
  if (key !== undefined && key.models.length > 0) {
    throw new LonghaulError(
      "auth.denied",
      `API key "${key.name}" may use only the models ${key.models.join(", ")}, and this request names no model at its top level; use a key without a list of models`,
    );
  }
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
