import type { Facts } from "./model.ts";

/** Facts for every model that matches a pattern, with their source. */
export interface Rule {
  /** A glob over the model's name, its id, or `platform/id`: `*` matches anything, `{a,b}` either. */
  readonly match: string;
  /** Restricts the rule to one platform. A pattern alone cannot: `anthropic/*` also matches OpenRouter's ids. */
  readonly platform?: string;
  readonly facts: Facts;
  readonly source: string;
}

/** The input of a matcher. */
export interface Subject {
  readonly platform: string;
  readonly id: string;
  readonly name: string;
}

export type Matcher = (subject: Subject) => boolean;

/** Compiles a glob, ignoring case; only a glob with a slash is compared with `platform/id`. */
export function compileGlob(glob: string): Matcher {
  const pattern = new RegExp(`^${glob.split(TOKENS).map(partPattern).join("")}$`, "is");
  const fitsName: Matcher = ({ id, name }) => pattern.test(name) || (id !== name && pattern.test(id));
  if (!glob.includes("/")) return fitsName;
  return (subject) => fitsName(subject) || pattern.test(`${subject.platform}/${subject.id}`);
}

/** Whether a pattern has wildcards. */
export function isGlob(pattern: string): boolean {
  return pattern.includes("*") || /\{[^{}]*\}/.test(pattern);
}

const TOKENS = /(\{[^{}]*\})/;

function partPattern(part: string): string {
  if (!TOKENS.test(part)) return textPattern(part);
  return `(?:${part.slice(1, -1).split(",").map(textPattern).join("|")})`;
}

function textPattern(text: string): string {
  return text.replace(/[\\^$.+?()[\]{}|]/g, "\\$&").replaceAll("*", ".*");
}

/** Merges facts: the upper ones win, nested objects are merged, lists are replaced. */
export function mergeFacts<Lower extends Facts>(lower: Lower, upper: Facts): Lower {
  return {
    ...lower,
    ...upper,
    ...(lower.prices && { prices: { ...lower.prices, ...upper.prices } }),
    ...(lower.reasoning && { reasoning: { ...lower.reasoning, ...upper.reasoning } }),
    ...(lower.images && { images: { ...lower.images, ...upper.images } }),
    ...(lower.compaction && { compaction: { ...lower.compaction, ...upper.compaction } }),
    ...(lower.betas && { betas: { ...lower.betas, ...upper.betas } }),
  };
}
