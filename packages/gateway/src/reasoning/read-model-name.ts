import { ownValue } from "@longhaul/conversation";
import {
  type Catalog,
  findModel,
  fitsPattern,
  knowsModel,
  type NamedModel,
  parseModelName,
  type ReasoningPatterns,
} from "@longhaul/models";
import { type Config, matchesModel, mergeReasoning, type ReasoningConfig, type RouteConfig } from "@longhaul/settings";
import type { Snapshot } from "../configuration/snapshot.ts";

/** Takes off a model's name what says how hard to think, as far as routes, catalog and settings know the rest. */
export function readModelName(name: string, { config, catalog }: Pick<Snapshot, "config" | "catalog">): NamedModel {
  const { routes } = config;
  const isRoute = routes.some((route) => namesEnd(route) && matchesModel(route.match, name));
  const isKnown = (model: string) => knowsModel(catalog, model);
  const leadsSomewhere = (model: string) => isKnown(parseModelName(model, { isWhole: isKnown, isBase: isKnown }).base);
  const named = parseModelName(name, {
    isWhole: (whole) => isRoute || isKnown(whole),
    isBase: (base) =>
      isKnown(base) ||
      fitsPattern(base, patternsFor(base, config)) ||
      routes.some((route) => isNameOf(route, base) && modelsOf(route).some(leadsSomewhere)),
  });
  return isRoute || named.base !== name ? named : withUnread(name, catalog);
}

/** Which models reason, by all that is said of it where a name leads. */
function patternsFor(name: string, config: Config): ReasoningPatterns {
  const route = config.routes.find(({ match }) => matchesModel(match, name));
  return routeReasoning(route, config).patterns ?? {};
}

/** What the catalog would take off a name although it could not be read: more suffixes than one. */
function withUnread(name: string, catalog: Catalog): NamedModel {
  const { suffix, upstreamId } = findModel(catalog, name);
  const isMark = suffix === undefined || /^(?:fast|1m|-)+$/.test(suffix);
  return isMark ? { base: name } : { base: upstreamId, suffix: { text: suffix } };
}

/** A route that says how a name ends means that name, not one with a suffix. */
function namesEnd({ match }: RouteConfig): boolean {
  return !match.endsWith("*");
}

/** Routes give models names of their own. */
function isNameOf({ match }: RouteConfig, name: string): boolean {
  return match.toLowerCase() === name.toLowerCase();
}

function modelsOf({ model, models = {} }: RouteConfig): readonly string[] {
  return [...(model === undefined ? [] : [model]), ...Object.values(models)];
}

/** What is set about reasoning where a route leads: the global settings, its profile's over them, and its own over those. */
export function routeReasoning(
  route: RouteConfig | undefined,
  { profiles, reasoning }: Pick<Config, "profiles" | "reasoning">,
): ReasoningConfig {
  const profile = route?.profile === undefined ? undefined : ownValue(profiles, route.profile);
  return mergeReasoning(reasoning, profile?.reasoning, route?.reasoning);
}
