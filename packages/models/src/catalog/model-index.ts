import type { Model } from "./model.ts";
import { isVersion, readings } from "./names.ts";

/**
 * Files every model under its id, its id without routing prefix, region and version, the vendor's name for it, and its aliases. Under
 * each key the likeliest comes first: the one with that very id, then the vendor's own platform, then the others in a fixed order.
 */
export function indexModels(models: readonly Model[]): ReadonlyMap<string, readonly Model[]> {
  const index = new Map<string, Model[]>();
  for (const model of models) {
    for (const key of keysOf(model)) {
      const filed = index.get(key);
      if (filed === undefined) index.set(key, [model]);
      else filed.push(model);
    }
  }
  for (const [key, filed] of index) filed.sort((a, b) => compare(rank(a, key), rank(b, key)));
  return index;
}

function keysOf(model: Model): Set<string> {
  const whole = [...readings(model.id)].filter(({ tail, suffix }) => suffix === "" && (tail === "" || isVersion(tail)));
  const aliases = model.aliases.map((alias) => alias.toLowerCase());
  return new Set([...whole.map(({ key }) => key), model.name, ...aliases]);
}

const PLATFORM_ORDER = ["anthropic", "openai", "google", "vertex", "bedrock", "openrouter"];

/** Smaller is likelier, the first difference decides. */
function rank(model: Model, key: string): readonly (number | string)[] {
  const place = PLATFORM_ORDER.indexOf(model.platform);
  return [
    model.id.toLowerCase() === key ? 0 : 1,
    model.platform === model.vendor ? 0 : 1,
    place < 0 ? PLATFORM_ORDER.length : place,
    model.id === model.name ? 0 : 1,
    /^(?:us|eu|apac|jp|au|ca|us-gov)\./.test(model.id) ? 1 : 0,
    model.id,
  ];
}

function compare(a: readonly (number | string)[], b: readonly (number | string)[]): number {
  const index = a.findIndex((value, at) => value !== b[at]);
  if (index < 0) return 0;
  return (a[index] ?? 0) < (b[index] ?? 0) ? -1 : 1;
}
