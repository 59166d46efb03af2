import { LonghaulError } from "@longhaul/conversation";
import { compileRules, type Layers } from "./assemble.ts";
import file from "./catalog.json" with { type: "json" };
import { FAMILIES } from "./families.ts";
import type { Facts, Model } from "./model.ts";
import { type ListedModel, makeModelTable } from "./model-table.ts";
import { platformIn, vendorName, withoutPlatform } from "./names.ts";
import { OVERLAY } from "./overlay.ts";
import { parseOverrides } from "./overrides.ts";
import { type CatalogFile, factsOf, isCatalogFile } from "./rows.ts";
import { compileGlob, isGlob, type Rule, type Subject } from "./rule.ts";

/** What is known of models. A value: load it once, and again when the overrides change. */
export interface Catalog {
  /** The packages that it was made from. */
  readonly sources: CatalogFile["sources"];
  /** All of them; to find one, `findModel` is quicker. */
  readonly models: readonly Model[];
  /** The models with a key that they can be looked up by, the likeliest first; for `findModel`. */
  readonly modelsUnder: (key: string) => readonly Model[];
  /** A model's own line, without what was laid over it; for `findModel`. */
  readonly ownFacts: (model: Model) => Facts;
  /** What holds for models that are not listed, too; for `findModel`. */
  readonly layers: Layers;
}

/** The platform of a model that the catalog doesn't list. */
export const UNLISTED = "other";

/**
 * Loads the shipped catalog with a user's overrides laid over it. An override's key is an id, a vendor's name, `platform/id` or a glob;
 * globs come first and single names after them, so the narrower wins. A name that nothing in the catalog has adds a model.
 */
export function loadCatalog(overrides: unknown = {}): Catalog {
  const rules = globsFirst(parseOverrides(overrides));
  const layers = { families: COMPILED_FAMILIES, overlay: COMPILED_OVERLAY, overrides: compileRules(rules) };
  const { sources, models } = shippedFile();
  const modelTable = makeModelTable(() => {
    const listed = models.map((row) => ({ subject: subjectOf(row[0], row[1]), facts: () => factsOf(row) }));
    return [...listed, ...addedBy(rules, listed)];
  }, layers);
  return {
    sources,
    get models() {
      return modelTable.all();
    },
    modelsUnder: modelTable.byKey,
    ownFacts: modelTable.ownFacts,
    layers,
  };
}

const COMPILED_FAMILIES = compileRules(FAMILIES);
const COMPILED_OVERLAY = compileRules(OVERLAY);

function shippedFile(): CatalogFile {
  if (isCatalogFile(file)) return file;
  throw new LonghaulError(
    "internal.bug",
    "catalog.json has another format than this release reads; install Longhaul anew",
  );
}

function globsFirst(rules: readonly Rule[]): Rule[] {
  return [...rules.filter(({ match }) => isGlob(match)), ...rules.filter(({ match }) => !isGlob(match))];
}

/** Lines for the names that only an override knows. One with the vendor's name of a listed model starts from its facts. */
function addedBy(rules: readonly Rule[], listed: readonly ListedModel[]): ListedModel[] {
  const names = rules.map(({ match }) => match).filter((match) => !isGlob(match));
  return names
    .filter((name) => !isListed(name, listed))
    .map((name) => {
      const platform = platformIn(name);
      const subject = subjectOf(platform ?? UNLISTED, withoutPlatform(name, platform));
      return { subject, facts: listed.find((line) => line.subject.name === subject.name)?.facts ?? (() => ({})) };
    });
}

function isListed(name: string, listed: readonly ListedModel[]): boolean {
  const fits = compileGlob(name);
  return listed.some(({ subject }) => fits(subject));
}

function subjectOf(platform: string, id: string): Subject {
  return { platform, id, name: vendorName(id) };
}
