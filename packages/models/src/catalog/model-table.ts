import { assemble, type Layers } from "./assemble.ts";
import { getOrCreate } from "./get-or-create.ts";
import type { Facts, Model } from "./model.ts";
import { keysIn } from "./names.ts";
import type { Subject } from "./rule.ts";

/** A listed model, without overlays. */
export interface ListedModel {
  readonly subject: Subject;
  readonly facts: () => Facts;
}

/** The models of a catalog. They are indexed and assembled on first use, because assembling all of them takes a while. */
export interface ModelTable {
  all(): readonly Model[];
  /** Returns the models with a key, most likely first. */
  byKey(key: string): readonly Model[];
  /** Returns a model's own entry. */
  ownFacts(model: Model): Facts;
}

/** Creates a model table. Models with overrides are assembled at once, so that an invalid override fails here and not in a request. */
export function makeModelTable(list: () => readonly ListedModel[], layers: Layers): ModelTable {
  let listed: readonly ListedModel[] | undefined;
  let index: ReadonlyMap<string, readonly ListedModel[]> | undefined;
  const models = new Map<ListedModel, Model>();
  const ownFacts = new Map<Model, Facts>();
  const sorted = new Map<string, readonly Model[]>();

  function put({ subject, facts }: ListedModel): Model {
    const own = facts();
    const model = assemble(subject, own, layers);
    ownFacts.set(model, own);
    return model;
  }

  const lines = () => {
    listed ??= list();
    return listed;
  };
  const modelOf = (line: ListedModel) => getOrCreate(models, line, put);
  if (layers.overrides.length > 0) {
    lines()
      .filter(({ subject }) => layers.overrides.some(({ fits }) => fits(subject)))
      .forEach(modelOf);
  }
  const aliasesOf = (line: ListedModel) => models.get(line)?.aliases.map((alias) => alias.toLowerCase()) ?? [];
  const keysOf = (line: ListedModel) => new Set([...keysIn(line.subject.id), line.subject.name, ...aliasesOf(line)]);

  return {
    all: () => lines().map(modelOf),
    byKey(key) {
      index ??= indexByKey(lines(), keysOf);
      const filed = index.get(key);
      if (filed === undefined) return [];
      return getOrCreate(sorted, key, () => sortByLikelihood(filed.map(modelOf), key));
    },
    ownFacts: (model) => ownFacts.get(model) ?? {},
  };
}

/** Indexes entries by their keys, in order. */
export function indexByKey<Entry>(
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

/** Sorts models by likelihood for a key: the exact id first, then the vendor's own platform, then others in a fixed order. */
export function sortByLikelihood(models: readonly Model[], key: string): Model[] {
  return models.toSorted((a, b) => compare(rank(a, key), rank(b, key)));
}

const PLATFORM_ORDER = ["anthropic", "openai", "google", "vertex", "bedrock", "openrouter"];

/** Smaller is more likely; the first difference decides. */
function rank(model: Model, key: string): readonly (number | string)[] {
  const order = PLATFORM_ORDER.indexOf(model.platform);
  return [
    model.id.toLowerCase() === key ? 0 : 1,
    model.platform === model.vendor ? 0 : 1,
    order < 0 ? PLATFORM_ORDER.length : order,
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
