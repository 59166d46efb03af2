import { type Catalog, findModel, fitsPattern, knowsModel, type NamedModel, parseModelName } from "@longhaul/models";
import { matchesModel, type RouteConfig } from "@longhaul/settings";
import type { Snapshot } from "../snapshot.ts";

/** Takes off a model's name what says how hard to think, as far as routes, catalog and settings know the rest. */
export function readModelName(name: string, { config, catalog }: Pick<Snapshot, "config" | "catalog">): NamedModel {
  const { routes, reasoning } = config;
  const isRoute = routes.some((route) => namesEnd(route) && matchesModel(route.match, name));
  const named = parseModelName(name, {
    isWhole: (whole) => isRoute || knowsModel(catalog, whole),
    isBase: (base) =>
      knowsModel(catalog, base) ||
      fitsPattern(base, reasoning.patterns ?? {}) ||
      routes.some((route) => isNameOf(route, base) && modelsOf(route).some((model) => knowsModel(catalog, model))),
  });
  return isRoute || named.base !== name ? named : withUnread(name, catalog);
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
  return !match.includes("*") && match.toLowerCase() === name.toLowerCase();
}

function modelsOf({ model, models = {} }: RouteConfig): readonly string[] {
  return [...(model === undefined ? [] : [model]), ...Object.values(models)];
}
