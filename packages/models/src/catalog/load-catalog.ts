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
  /** What to assume of models that are not listed; for `findModel`. */
  readonly layers: Layers;
}

/**
 * Loads the shipped catalog with a user's overrides laid over it. An override's key is an id, a vendor's name, `platform/id` or a glob;
 * globs come first and single names after them, so the narrower wins. A name that nothing in the catalog has adds a model.
 */
export function loadCatalog(overrides: unknown = {}): Catalog {
  const rules = globsFirst(parseOverrides(overrides));
  const layers = { families: READY_FAMILIES, overlay: READY_OVERLAY, overrides: compileRules(rules) };
  const shipped = catalogFileSchema.parse(file);
  const listed = shipped.models.map((row) => ({ subject: subjectOf(row[0], row[1]), facts: factsOf(row) }));
  const models = [...listed, ...addedBy(rules, listed)].map(({ subject, facts }) => assemble(subject, facts, layers));
  return { sources: shipped.sources, models, byKey: indexModels(models), layers };
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
      const subject = subjectOf(platformIn(match) ?? "other", withoutPlatform(match));
      return { subject, facts: listed.find((line) => line.subject.name === subject.name)?.facts ?? {} };
    });
}

function subjectOf(platform: string, id: string): Subject {
  return { platform, id, name: vendorName(id) };
}
