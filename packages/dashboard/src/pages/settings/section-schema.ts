import type { SettingSpecsAnswer } from "@longhaul/settings";
import { isRecord, isSchema, type Json, type Schema } from "../../forms/schema.ts";

/** The schema of one upstream or profile, put together from those of its settings. */
export function sectionSchema({ settings }: Pick<SettingSpecsAnswer, "settings">, kind: string): Schema {
  const prefix = `${kind}.*.`;
  const own = settings.filter(({ path }) => path.startsWith(prefix));
  return own.reduce<Schema>(
    (outer, { path, help, schema }) =>
      withProperty(outer, path.slice(prefix.length).split("."), {
        ...(isSchema(schema) ? schema : {}),
        description: help,
      }),
    { type: "object", properties: {} },
  );
}

function withProperty(outer: Schema, [name = "", ...rest]: readonly string[], inner: Schema): Schema {
  const { properties = {} } = outer;
  const next =
    rest.length === 0 ? inner : withProperty(properties[name] ?? { type: "object", properties: {} }, rest, inner);
  return { ...outer, type: "object", properties: { ...properties, [name]: next } };
}

/** What has to be said to the gateway to get from one value to the other: `null` takes back what was set. */
export function changesOf(before: Json | undefined, after: Json | undefined): Readonly<Record<string, Json>> {
  const [old, next] = [isRecord(before) ? before : {}, isRecord(after) ? after : {}];
  const names = new Set([...Object.keys(old), ...Object.keys(next)]);
  const changed = [...names].filter((name) => JSON.stringify(old[name]) !== JSON.stringify(next[name]));
  return Object.fromEntries(changed.map((name) => [name, next[name] ?? null]));
}
