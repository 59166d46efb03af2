import { isJsonObject, type JsonObject } from "@longhaul/conversation";

/** The version of the keys that a file may hold. A file that names none is of the first one. */
export const CONFIG_VERSION = 2;

/** A file's content with today's keys, and what was read otherwise than it is written. */
export interface Migrated {
  readonly value: unknown;
  readonly changes: readonly string[];
}

/** Reads the keys of earlier versions as today's. What is of today's version, or of none that is known, stays as it is. */
export function migrateConfig(value: unknown): Migrated {
  if (!isJsonObject(value) || (value.version !== undefined && value.version !== 1)) return { value, changes: [] };
  const { version: _, ...rest } = value;
  return fromFirst(rest);
}

/** The first version had one `config` beside `strategy`, for whichever strategy that was. */
function fromFirst(value: JsonObject): Migrated {
  const changes: string[] = [];
  const move = (holder: JsonObject, path: string, inherited: string): JsonObject => {
    const { context } = holder;
    if (!isJsonObject(context) || !isJsonObject(context.config)) return holder;
    const { config, ...others } = context;
    const strategy = strategyIn(holder) ?? inherited;
    const strategies = { ...(isJsonObject(others.strategies) ? others.strategies : {}), [strategy]: config };
    changes.push(`${path}context.config is read as ${path}context.strategies.${strategy}`);
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

/** What the first version used where nothing was said. */
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
