import { isDeepStrictEqual } from "node:util";
import type { Config } from "@longhaul/settings";
import type { Reloaded } from "./logging/log.ts";

/** What is opened once. */
const FIXED_AT_START: readonly (readonly [name: string, read: (config: Config) => unknown])[] = [
  ["server.host", ({ server }) => server.host],
  ["server.port", ({ server }) => server.port],
  ["store.path", ({ store }) => store.path],
];

/** What another configuration changes, by name: values may be secrets. */
export function configChanges(before: Config, after: Config): Reloaded {
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  const [old, next] = [new Map(Object.entries(before)), new Map(Object.entries(after))];
  return {
    changed: [...keys].filter((key) => !isDeepStrictEqual(old.get(key), next.get(key))),
    needRestart: FIXED_AT_START.filter(([, read]) => read(before) !== read(after)).map(([name]) => name),
  };
}
