import { isJsonObject, LonghaulError, table } from "@longhaul/conversation/advanced";
import { compileRules, type Layers } from "./assemble.ts";
import file from "./catalog.json" with { type: "json" };
import { FAMILIES } from "./families.ts";
import type { Facts, Model, Overrides } from "./model.ts";
import { type ListedModel, makeModelTable } from "./model-table.ts";
import { platformIn, vendorIn, vendorName, withoutPlatform } from "./names.ts";
import { OVERLAY } from "./overlay.ts";
import type { CatalogFile, CatalogRow } from "./rows.ts";
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
 * over globs. A name that is not in the catalog adds a model. Overrides from outside the program are checked by `parseOverrides` first.
 */
export function loadCatalog(overrides: Overrides = {}): Catalog {
  if (!isJsonObject(overrides)) throw notFacts("the overrides", overrides);
  const globsFirst = (rule: Rule) => (isGlob(rule.match) ? 0 : 1);
  const rules = Object.entries(overrides)
    .map(([match, facts]) => ruleOf(match, facts))
    .sort((left, right) => globsFirst(left) - globsFirst(right));
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

/** Checks what a compiler would: `parseOverrides` checks every field. */
function ruleOf(match: string, facts: Facts): Rule {
  if (!isJsonObject(facts)) throw notFacts(`the override for "${match}"`, facts);
  requireWindow(match, facts);
  return { match, facts: withoutUndefined(facts), source: "override" };
}

/** Leaves out undefined fields: they would replace facts, and most compilers accept them for absent ones. */
function withoutUndefined<T extends object>(fields: T): T;
function withoutUndefined(fields: object): object {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(
    given.map(([name, value]) => [name, isJsonObject(value) ? withoutUndefined(value) : value]),
  );
}

function notFacts(what: string, value: unknown): LonghaulError {
  const why = `it is ${formatValue(value)}, not an object`;
  return new LonghaulError("catalog.invalid", `${what} of the model catalog cannot be used: ${why}`);
}

/** Throws an error of its own for an invalid window, the same as everywhere in the product. */
export function requireWindow(match: string, facts: unknown): void {
  if (!isJsonObject(facts) || facts.window === undefined) return;
  const limit: unknown = facts.window;
  if (typeof limit === "number" && Number.isInteger(limit) && limit > 0) return;
  const found = `the override for "${match}" sets window to ${formatValue(limit)}`;
  throw new LonghaulError("VALIDATION_ERROR", `Context limit must be positive: ${found}; set a whole number of tokens`);
}

/** Shows a value in an error. */
export function formatValue(value: unknown): string {
  return typeof value === "number" ? String(value) : (JSON.stringify(value) ?? "missing");
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

/**
 * Whether a value is the generated file. It checks only the format: a test validates the shipped file, and doing that at every start would
 * take longer than everything else.
 */
export function isCatalogFile(value: unknown): value is CatalogFile {
  return isJsonObject(value) && value.format === 1;
}

/** Converts a row to facts. */
export function factsOf(line: CatalogRow): Facts {
  const [platform, id, tokensInAll, maxOutput, given, tiers, levels, images] = line;
  return {
    vendor: vendorIn(id) ?? OWN_VENDORS[platform] ?? platform,
    window: tokensInAll,
    ...(maxOutput !== null && { maxOutput }),
    ...(given !== null && {
      prices: {
        ...ratesOf(given),
        tiers: tiers.map(([above, ...rest]) => ({ aboveInputTokens: above, ...ratesOf(rest) })),
      },
    }),
    reasoning:
      levels === null
        ? { kind: "none", levels: [], onByDefault: false, mandatory: false }
        : { kind: "effort", levels, mandatory: !levels.includes("none") },
    images: { supported: images !== null, ...(images !== null && images > 0 && { maxCount: images }) },
  };
}

const OWN_VENDORS: Readonly<Record<string, string>> = table({ vertex: "google" });

function ratesOf([input, output, cacheRead, cacheWrite, cacheWriteHour]: NonNullable<CatalogRow[4]>) {
  return {
    input,
    output,
    ...(cacheRead !== null && { cacheRead }),
    ...(cacheWrite !== null && { cacheWrite }),
    ...(cacheWriteHour !== null && { cacheWriteHour }),
  };
}
