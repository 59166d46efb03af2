import { LonghaulError } from "@longhaul/conversation";
import { DEFAULTS } from "./families.ts";
import type { Facts, Model } from "./model.ts";
import { completePrices } from "./prices.ts";
import { compileGlob, type Matcher, mergeFacts, type Rule, type Subject } from "./rule.ts";

/** A rule with its compiled pattern. */
export interface CompiledRule {
  readonly fits: Matcher;
  readonly facts: Facts;
}

/** Sources of facts in addition to the defaults and a model's own entry: families are below it, the overlay and a user's overrides above it. */
export interface Layers {
  readonly families: readonly CompiledRule[];
  readonly overlay: readonly CompiledRule[];
  readonly overrides: readonly CompiledRule[];
}

export function compileRules(rules: readonly Rule[]): CompiledRule[] {
  return rules.map(({ match, platform, facts }) => {
    const fits = compileGlob(match);
    const fitsThere: Matcher = (subject) => subject.platform === platform && fits(subject);
    return { fits: platform === undefined ? fits : fitsThere, facts };
  });
}

/** Assembles a model from its own entry and all matching rules. */
export function assemble(subject: Subject, own: Facts, layers: Layers): Model {
  const above = [...layers.overlay, ...layers.overrides];
  const below = applyRules(layers.families, subject, DEFAULTS);
  const facts = applyRules(above, subject, mergeFacts(below, own));
  const { prices: given, maxInput, vendor = "unknown", ...rest } = facts;
  const limit = facts.window;
  const prices = completePrices(given, vendor);
  if (prices === undefined && given !== undefined) throw pricesMissing(subject);
  return {
    ...subject,
    aliases: [],
    ...rest,
    vendor,
    maxOutput: Math.min(facts.maxOutput, limit),
    ...(maxInput !== undefined && { maxInput: Math.min(maxInput, limit) }),
    ...(prices !== undefined && { prices }),
  };
}

function applyRules<Ground extends Facts>(rules: readonly CompiledRule[], subject: Subject, ground: Ground): Ground {
  return rules.filter(({ fits }) => fits(subject)).reduce((facts, rule) => mergeFacts(facts, rule.facts), ground);
}

function pricesMissing({ id }: Subject): LonghaulError {
  const message = `the override for "${id}" has prices without input or output; set both, in USD per million tokens`;
  return new LonghaulError("catalog.invalid", message);
}
