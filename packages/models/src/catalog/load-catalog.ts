import { assemble, compileRules, type Layers } from "./assemble.ts";
import file from "./catalog.json" with { type: "json" };
import { FAMILIES } from "./families.ts";
import type { Facts, Model } from "./model.ts";
import { indexModels } from "./model-index.ts";
import { platformIn, vendorName, withoutPlatform } from "./names.ts";
import { OVERLAY } from "./overlay.ts";
import { parseOverrides } from "./overrides.ts";
import { type CatalogFile, catalogFileSchema, factsOf } from "./rows.ts";
import { compileGlob, isGlob, type Rule, type Subject } from "./rule.ts";

/** What is known of models. A value: load it once, and again when the overrides change. */
export interface Catalog {
  /** The packages that it was made from. */
  readonly sources: CatalogFile["sources"];
  readonly models: readonly Model[];
  /** Models by every key that they can be looked up with, the likeliest first; for `findModel`. */
  readonly byKey: ReadonlyMap<string, readonly Model[]>;
  /** Each model's own line, without what was laid over it; for `findModel`. */
  readonly ownFacts: ReadonlyMap<Model, Facts>;
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
  const layers = { families: READY_FAMILIES, overlay: READY_OVERLAY, overrides: compileRules(rules) };
  const shipped = catalogFileSchema.parse(file);
  const listed = shipped.models.map((row) => ({ subject: subjectOf(row[0], row[1]), facts: factsOf(row) }));
  const lines = [...listed, ...addedBy(rules, listed)];
  const ownFacts = new Map(lines.map(({ subject, facts }) => [assemble(subject, facts, layers), facts]));
  const models = [...ownFacts.keys()];
  return { sources: shipped.sources, models, byKey: indexModels(models), ownFacts, layers };
}

const READY_FAMILIES = compileRules(FAMILIES);
const READY_OVERLAY = compileRules(OVERLAY);

interface Line {
  readonly subject: Subject;
  readonly facts: Facts;
}

function globsFirst(rules: readonly Rule[]): Rule[] {
  return [...rules.filter(({ match }) => isGlob(match)), ...rules.filter(({ match }) => !isGlob(match))];
}

/** Lines for the names that only an override knows. One with the vendor's name of a listed model starts from its facts. */
function addedBy(rules: readonly Rule[], listed: readonly Line[]): Line[] {
  return rules
    .filter(({ match }) => !isGlob(match) && !listed.some(({ subject }) => compileGlob(match)(subject)))
    .map(({ match }) => {
      const platform = platformIn(match);
      const subject = subjectOf(platform ?? UNLISTED, withoutPlatform(match, platform));
      return { subject, facts: listed.find((line) => line.subject.name === subject.name)?.facts ?? {} };
    });
}

function subjectOf(platform: string, id: string): Subject {
  return { platform, id, name: vendorName(id) };
}
