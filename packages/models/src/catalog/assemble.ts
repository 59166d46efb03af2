import { LonghaulError } from "@longhaul/conversation";
import { type Facts, type Model, modelSchema } from "./model.ts";
import { completePrices } from "./prices.ts";
import { compileGlob, type Matcher, mergeFacts, type Rule, type Subject } from "./rule.ts";

/** A rule whose pattern was compiled. */
export interface CompiledRule {
  readonly fits: Matcher;
  readonly facts: Facts;
}

/** Where facts come from besides a model's own line: families lie under it, the overlay and a user's overrides over it. */
export interface Layers {
  readonly families: readonly CompiledRule[];
  readonly overlay: readonly CompiledRule[];
  readonly overrides: readonly CompiledRule[];
}

/** Compiles rules once, for many models. */
export function compileRules(rules: readonly Rule[]): CompiledRule[] {
  return rules.map(({ match, platform, facts }) => {
    const fits = compileGlob(match);
    const fitsThere: Matcher = (subject) => subject.platform === platform && fits(subject);
    return { fits: platform === undefined ? fits : fitsThere, facts };
  });
}

/** Puts a model together from its own line and everything that fits it. */
export function assemble(subject: Subject, own: Facts, layers: Layers): Model {
  const above = [...layers.overlay, ...layers.overrides];
  const facts = applyRules(above, subject, mergeFacts(applyRules(layers.families, subject, {}), own));
  const { prices: given, maxInput, vendor = "unknown", ...rest } = facts;
  const limit = facts.window ?? 0;
  const prices = completePrices(given, vendor);
  if (prices === undefined && given !== undefined) throw pricesMissing(subject);
  return modelSchema.parse({
    ...subject,
    aliases: [],
    ...rest,
    vendor,
    maxOutput: Math.min(facts.maxOutput ?? limit, limit),
    ...(maxInput !== undefined && { maxInput: Math.min(maxInput, limit) }),
    ...(prices !== undefined && { prices }),
  });
}

function applyRules(rules: readonly CompiledRule[], subject: Subject, ground: Facts): Facts {
  return rules.filter(({ fits }) => fits(subject)).reduce((facts, rule) => mergeFacts(facts, rule.facts), ground);
}

function pricesMissing({ id }: Subject): LonghaulError {
  const message = `the override for "${id}" has prices without input or output; give both, in USD for a million tokens`;
  return new LonghaulError("catalog.invalid", message);
}
