import { assemble, type Layers } from "./assemble.ts";
import type { Facts, Model } from "./model.ts";
import { fileByKey, sortByLikelihood } from "./model-index.ts";
import { keysIn } from "./names.ts";
import { remember } from "./remember.ts";
import type { Subject } from "./rule.ts";

/** One model as it is listed, with nothing laid over it yet. */
export interface Line {
  readonly subject: Subject;
  readonly facts: () => Facts;
}

/** The models of a catalog. They are filed, and each is put together, when they are first asked for: all of them take a while. */
export interface Shelf {
  all(): readonly Model[];
  /** The models that have a key, the likeliest first. */
  under(key: string): readonly Model[];
  /** What a model's own line says. */
  ownFacts(model: Model): Facts;
}

/** Makes a shelf. What overrides change is put together at once, so that a broken one is refused here and not in a request. */
export function makeShelf(list: () => readonly Line[], layers: Layers): Shelf {
  let listed: readonly Line[] | undefined;
  let index: ReadonlyMap<string, readonly Line[]> | undefined;
  const models = new Map<Line, Model>();
  const ownFacts = new Map<Model, Facts>();
  const sorted = new Map<string, readonly Model[]>();

  function put({ subject, facts }: Line): Model {
    const own = facts();
    const model = assemble(subject, own, layers);
    ownFacts.set(model, own);
    return model;
  }

  const lines = () => {
    listed ??= list();
    return listed;
  };
  const modelOf = (line: Line) => remember(models, line, put);
  if (layers.overrides.length > 0) {
    lines()
      .filter(({ subject }) => layers.overrides.some(({ fits }) => fits(subject)))
      .forEach(modelOf);
  }
  const aliasesOf = (line: Line) => models.get(line)?.aliases.map((alias) => alias.toLowerCase()) ?? [];
  const keysOf = (line: Line) => new Set([...keysIn(line.subject.id), line.subject.name, ...aliasesOf(line)]);

  return {
    all: () => lines().map(modelOf),
    under(key) {
      index ??= fileByKey(lines(), keysOf);
      const filed = index.get(key);
      if (filed === undefined) return [];
      return remember(sorted, key, () => sortByLikelihood(filed.map(modelOf), key));
    },
    ownFacts: (model) => ownFacts.get(model) ?? {},
  };
}
