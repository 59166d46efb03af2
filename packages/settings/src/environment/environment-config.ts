import {
  BUILT_IN_KIND,
  type KindEnvironment,
  RECOGNIZED_KINDS,
  UPSTREAM_KIND_NAMES,
  UPSTREAM_KINDS,
  type UpstreamKindName,
} from "@longhaul/models/kinds";
import type { Environment } from "./interpolate.ts";

/** The gateway's port if nothing sets it. */
export const DEFAULT_PORT = 4141;

const ANY = "*";

/** The Claude tiers that clients request, with the variable that names the model for each. */
const TIERS = [
  ["*opus*", "BIG_MODEL"],
  ["*sonnet*", "MIDDLE_MODEL"],
  ["*haiku*", "SMALL_MODEL"],
] as const;

interface Vendor extends KindEnvironment {
  readonly name: UpstreamKindName;
}

/** In routing order: vendors that serve any model come last. */
const VENDORS: readonly Vendor[] = UPSTREAM_KIND_NAMES.flatMap((name) => {
  const { environment } = UPSTREAM_KINDS[name];
  return environment === undefined ? [] : [{ name, ...environment }];
}).sort((one, other) => Number(one.models.includes(ANY)) - Number(other.models.includes(ANY)));

/**
 * Returns the configuration that the environment alone describes, in the form of a file: an upstream with routes for every vendor whose key is
 * set. Requests for another vendor's models that carry that vendor's own credential go to it. Without any key, so do all requests with a
 * vendor's credential, and the simulator answers all others.
 */
export function environmentConfig(environment: Environment): unknown {
  const present = VENDORS.filter(({ needs, variables }) => {
    return needs.every((setting) => environment[variables[setting] ?? ""]);
  });
  if (present.length === 0) return unconfigured(environment);
  const isServed = ({ models }: Vendor) => present.some((each) => servesSome(each, models, environment));
  const others = recognizedVendors().filter((vendor) => !isServed(vendor));
  const all = [...present, ...others];
  const upstreams = Object.fromEntries(all.map((vendor) => [vendor.name, upstreamOf(vendor, environment)]));
  const routes = [...tierRoutes(environment, present), ...others.flatMap(credentialRoutes), ...vendorRoutes(present)];
  return { upstreams, routes };
}

/** Vendors whose credentials have a form of their own. */
function recognizedVendors(): Vendor[] {
  return VENDORS.filter(({ name }) => RECOGNIZED_KINDS.some(({ kind }) => kind === name));
}

/** Returns whether a vendor serves some of these names. Another server with its API may serve any model. */
function servesSome(vendor: Vendor, names: readonly string[], environment: Environment): boolean {
  if (upstreamOf(vendor, environment).baseUrl !== undefined) return true;
  return vendor.models.some((pattern) => pattern === ANY || names.includes(pattern));
}

function credentialRoutes({ name, models }: Vendor): unknown[] {
  return models.map((match) => ({ match, credential: name, upstream: name }));
}

function unconfigured(environment: Environment) {
  const vendors = recognizedVendors();
  const upstreams = Object.fromEntries(vendors.map((vendor) => [vendor.name, upstreamOf(vendor, environment)]));
  return {
    upstreams: { ...upstreams, [BUILT_IN_KIND]: { kind: BUILT_IN_KIND, saysSimulated: true } },
    routes: [
      ...vendors.map(({ name }) => ({ match: ANY, credential: name, upstream: name })),
      { match: ANY, upstream: BUILT_IN_KIND },
    ],
  };
}

function upstreamOf({ name, variables }: Vendor, environment: Environment): Record<string, string> {
  const settings = Object.entries(variables).map(([setting, variable]) => [setting, environment[variable] ?? ""]);
  const given = settings.filter(([, value = ""]) => value !== "" && !isOwnUrl(value, environment));
  return Object.fromEntries([["kind", name], ...given]);
}

/** Whether a value is the URL of this gateway. Users set it for their clients, often in the shell that starts the gateway. */
function isOwnUrl(value: string, { PORT: ownPort = `${DEFAULT_PORT}` }: Environment): boolean {
  const [, port] = /^https?:\/\/(?:localhost|127(?:\.\d{1,3}){3}|\[::1\]):(\d+)(?:\/|$)/.exec(value) ?? [];
  return port === ownPort;
}

/**
 * Returns the variables of URLs that are set and have no effect, because a file configures the upstreams and does not use them. One with the
 * URL of this gateway is meant for clients.
 */
export function unusedUrls(environment: Environment, file: unknown): readonly string[] {
  const text = JSON.stringify(file) ?? "";
  return VENDORS.flatMap(({ variables: { baseUrl = "" } }) => {
    const value = environment[baseUrl] ?? "";
    return value === "" || isOwnUrl(value, environment) || text.includes(`\${${baseUrl}`) ? [] : [baseUrl];
  });
}

/** Another vendor, to which a model's name belongs. */
export interface OtherVendor {
  /** Its name in texts. */
  readonly name: string;
  /** The variable of its API key. */
  readonly variable: string;
}

/** Returns the vendor of a model that this upstream cannot serve: its own vendor's address serves only models with other names. */
export function otherVendor(
  { kind, baseUrl }: { readonly kind: UpstreamKindName; readonly baseUrl?: string | undefined },
  model: string,
): OtherVendor | undefined {
  return baseUrl === undefined ? foreignVendor(kind, model) : undefined;
}

/** Returns the vendor of a model whose name belongs to another vendor than this kind's. Other servers with the kind's API may serve it. */
export function foreignVendor(kind: UpstreamKindName, model: string): OtherVendor | undefined {
  const serves = ({ models }: Vendor) => models.some((pattern) => matchesModel(pattern, model));
  const own = VENDORS.find(({ name }) => name === kind);
  if (own === undefined || UPSTREAM_KINDS[kind].credential === undefined || serves(own)) return undefined;
  const owner = RECOGNIZED_KINDS.find(({ kind: other }) => VENDORS.some((each) => each.name === other && serves(each)));
  const { apiKey: variable = "" } = (owner && UPSTREAM_KINDS[owner.kind].environment?.variables) ?? {};
  return owner && { name: owner.credential.vendor, variable };
}

function tierRoutes(environment: Environment, present: readonly Vendor[]): unknown[] {
  return TIERS.flatMap(([match, variable]) => {
    const model = environment[variable];
    const vendor = present.find(({ models }) => models.some((pattern) => matchesModel(pattern, model ?? "")));
    return model && vendor ? [{ match: `claude-${match}`, upstream: vendor.name, model }] : [];
  });
}

function vendorRoutes(present: readonly Vendor[]): unknown[] {
  const patterns = [...new Set(present.flatMap(({ models }) => models))];
  const ordered = [...patterns.filter((pattern) => pattern !== ANY), ...patterns.filter((pattern) => pattern === ANY)];
  const routes = ordered.map((match) => {
    const names = present.filter(({ models }) => models.includes(match)).map(({ name }) => name);
    return { match, upstream: names };
  });
  const first = present[0];
  const hasLast = patterns.includes(ANY) || first === undefined;
  return hasLast ? routes : [...routes, { match: ANY, upstream: [first.name] }];
}

/** Returns whether a model's name matches a pattern with `*` as a wildcard. Case is ignored. */
export function matchesModel(pattern: string, model: string): boolean {
  const expression = pattern
    .split("*")
    .map((part) => part.replace(/[.+?^${}()|[\]\\]/g, "\\$&"))
    .join(".*");
  return new RegExp(`^${expression}$`, "is").test(model);
}
