import {
  BUILT_IN_KIND,
  type KindEnvironment,
  UPSTREAM_KIND_NAMES,
  UPSTREAM_KINDS,
  type UpstreamKindName,
} from "@longhaul/models/kinds";
import type { Environment } from "./interpolate.ts";

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
 * set, or the simulator if there is none.
 */
export function environmentConfig(environment: Environment): unknown {
  const present = VENDORS.filter(({ needs, variables }) => {
    return needs.every((setting) => environment[variables[setting] ?? ""]);
  });
  if (present.length === 0) {
    const upstreams = { [BUILT_IN_KIND]: { kind: BUILT_IN_KIND } };
    return { upstreams, routes: [{ match: ANY, upstream: BUILT_IN_KIND }] };
  }
  const upstreams = Object.fromEntries(present.map((vendor) => [vendor.name, upstreamOf(vendor, environment)]));
  return { upstreams, routes: [...tierRoutes(environment, present), ...vendorRoutes(present)] };
}

function upstreamOf({ name, variables }: Vendor, environment: Environment): Record<string, string> {
  const settings = Object.entries(variables).map(([setting, variable]) => [setting, environment[variable]]);
  return Object.fromEntries([["kind", name], ...settings.filter(([, value]) => value)]);
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
