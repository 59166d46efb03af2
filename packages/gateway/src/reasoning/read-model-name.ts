import { ownValue } from "@longhaul/conversation/advanced";
import {
  type Catalog,
  findModel,
  knowsModel,
  matchesPattern,
  type NamedModel,
  parseModelName,
  type ReasoningPatterns,
} from "@longhaul/models/advanced";
import { type Config, matchesModel, mergeReasoning, type ReasoningConfig, type RouteConfig } from "@longhaul/settings";
import type { Snapshot } from "../configuration/snapshot.ts";

/** Splits a model name into the base and a reasoning suffix, if routes, catalog or settings know the base. */
export function readModelName(name: string, { config, catalog }: Pick<Snapshot, "config" | "catalog">): NamedModel {
  const { routes } = config;
  // If a route matches exact endings, the name has no suffix.
  const isRoute = routes.some(({ match }) => !match.endsWith("*") && matchesModel(match, name));
  const isKnown = (model: string) => knowsModel(catalog, model);
  const leadsSomewhere = (model: string) => isKnown(parseModelName(model, { isWhole: isKnown, isBase: isKnown }).base);
  const named = parseModelName(name, {
    isWhole: (whole) => isRoute || isKnown(whole),
    isBase: (base) =>
      isKnown(base) ||
      matchesPattern(base, patternsFor(base, config)) ||
      routes.some((route) => isNameOf(route, base) && modelsOf(route).some(leadsSomewhere)),
  });
  return isRoute || named.base !== name ? named : withUnread(name, catalog);
}

/** Returns the reasoning patterns of the route that a name leads to. */
function patternsFor(name: string, config: Config): ReasoningPatterns {
  const route = config.routes.find(({ match }) => matchesModel(match, name));
  return routeReasoning(route, config).patterns ?? {};
}

/** Returns a suffix that the catalog finds but cannot read, such as two suffixes in a row. */
function withUnread(name: string, catalog: Catalog): NamedModel {
  const { suffix, upstreamId } = findModel(catalog, name);
  const isMark = suffix === undefined || /^(?:fast|1m|-)+$/.test(suffix);
  return isMark ? { base: name } : { base: upstreamId, suffix: { text: suffix } };
}

function isNameOf({ match }: RouteConfig, name: string): boolean {
  return match.toLowerCase() === name.toLowerCase();
}

function modelsOf({ model, models = {} }: RouteConfig): readonly string[] {
  return [...(model === undefined ? [] : [model]), ...Object.values(models)];
}

/** Merges the reasoning settings of a route: global settings, then the profile's, then its own. */
export function routeReasoning(
  route: RouteConfig | undefined,
  { profiles, reasoning }: Pick<Config, "profiles" | "reasoning">,
): ReasoningConfig {
  const profile = route?.profile === undefined ? undefined : ownValue(profiles, route.profile);
  return mergeReasoning(reasoning, profile?.reasoning, route?.reasoning);
}
