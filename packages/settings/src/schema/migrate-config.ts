import { isJsonObject, type JsonObject } from "@longhaul/conversation";

/** The current version of configuration files. A file without a version has version 1. */
export const CONFIG_VERSION = 2;

export interface Migrated {
  readonly value: unknown;
  readonly changes: readonly string[];
}

/** Upgrades a file's content to the current version. The current version and unknown ones stay unchanged. */
export function migrateConfig(value: unknown): Migrated {
  if (!isJsonObject(value) || (value.version !== undefined && value.version !== 1)) return { value, changes: [] };
  const { version: _, ...rest } = value;
  return fromFirst(rest);
}

/** Version 1 had one `config` next to `strategy`, for the chosen strategy. */
function fromFirst(value: JsonObject): Migrated {
  const changes: string[] = [];
  const move = (holder: JsonObject, path: string, inherited: string): JsonObject => {
    const { context } = holder;
    if (!isJsonObject(context) || !isJsonObject(context.config)) return holder;
    const { config, ...others } = context;
    const strategy = strategyIn(holder) ?? inherited;
    const strategies = { ...(isJsonObject(others.strategies) ? others.strategies : {}), [strategy]: config };
    changes.push(`${path}context.config was read as ${path}context.strategies.${strategy}`);
    return { ...holder, context: { ...others, strategies } };
  };
  const everywhere = strategyIn(value) ?? DEFAULT_STRATEGY;
  const profiles = isJsonObject(value.profiles) ? value.profiles : {};
  const ofProfile = (name: unknown) => (typeof name === "string" ? strategyIn(profiles[name]) : undefined);
  const moved = move(value, "", everywhere);
  return {
    value: {
      ...moved,
      ...(isJsonObject(value.profiles) && {
        profiles: mapped(value.profiles, (profile, name) => move(profile, `profiles.${name}.`, everywhere)),
      }),
      ...(Array.isArray(value.routes) && {
        routes: value.routes.map((route: unknown, index) =>
          isJsonObject(route) ? move(route, `routes.${index}.`, ofProfile(route.profile) ?? everywhere) : route,
        ),
      }),
    },
    changes,
  };
}

const DEFAULT_STRATEGY = "middle-out";

function strategyIn(holder: unknown): string | undefined {
  const context = isJsonObject(holder) ? holder.context : undefined;
  const strategy = isJsonObject(context) ? context.strategy : undefined;
  return typeof strategy === "string" ? strategy : undefined;
}

function mapped(object: JsonObject, change: (inner: JsonObject, name: string) => JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(object).map(([name, inner]) => [name, isJsonObject(inner) ? change(inner, name) : inner]),
  );
}
