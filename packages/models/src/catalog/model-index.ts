import type { Model } from "./model.ts";

/** Files entries under their keys, in their order. */
export function fileByKey<Entry>(
  entries: readonly Entry[],
  keysOf: (entry: Entry) => ReadonlySet<string>,
): ReadonlyMap<string, readonly Entry[]> {
  const index = new Map<string, Entry[]>();
  for (const entry of entries) {
    for (const key of keysOf(entry)) {
      const filed = index.get(key);
      if (filed === undefined) index.set(key, [entry]);
      else filed.push(entry);
    }
  }
  return index;
}

/** Puts the likeliest meaning of a key first: the model with that very id, then the vendor's own platform, then the others in a fixed order. */
export function sortByLikelihood(models: readonly Model[], key: string): Model[] {
  return models.toSorted((a, b) => compare(rank(a, key), rank(b, key)));
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
