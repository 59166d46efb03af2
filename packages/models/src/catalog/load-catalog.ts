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

/** The model catalog. Immutable: load it once, and again when the overrides change. */
export interface Catalog {
  /** The packages that it was built from. */
  readonly sources: CatalogFile["sources"];
  /** All models; to find one, `findModel` is faster. */
  readonly models: readonly Model[];
  /** Returns the models for a lookup key, most likely first; for `findModel`. */
  readonly modelsUnder: (key: string) => readonly Model[];
  /** Returns a model's own entry, without overlays; for `findModel`. */
  readonly ownFacts: (model: Model) => Facts;
  /** Rules that also apply to unlisted models; for `findModel`. */
  readonly layers: Layers;
}

/** The platform of a model that the catalog does not list. */
export const UNLISTED = "other";

/**
 * Loads the shipped catalog with a user's overrides. An override's key is an id, a vendor's name, `platform/id` or a glob; single names win
 * over globs. A name that is not in the catalog adds a model.
 */
export function loadCatalog(overrides: unknown = {}): Catalog {
  const globsFirst = (rule: Rule) => (isGlob(rule.match) ? 0 : 1);
  const rules = parseOverrides(overrides).sort((left, right) => globsFirst(left) - globsFirst(right));
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
    "catalog.json does not have the format that this release reads; reinstall Longhaul",
  );
}

/** Returns entries for names that only an override has. One with the vendor's name of a listed model starts from its facts. */
function addedBy(rules: readonly Rule[], listed: readonly ListedModel[]): ListedModel[] {
  return rules.flatMap(({ match: name }) => {
    const fits = compileGlob(name);
    if (isGlob(name) || listed.some(({ subject }) => fits(subject))) return [];
    const platform = platformIn(name);
    const subject = subjectOf(platform ?? UNLISTED, withoutPlatform(name, platform));
    return { subject, facts: listed.find((line) => line.subject.name === subject.name)?.facts ?? (() => ({})) };
  });
}

function subjectOf(platform: string, id: string): Subject {
  return { platform, id, name: vendorName(id) };
}
