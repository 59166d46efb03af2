import type { Facts } from "./model.ts";

/** Facts for every model that a pattern fits, and where they are written. */
export interface Rule {
  /** A glob over the model's name, its id, or `platform/id`: `*` stands for anything, `{a,b}` for either. */
  readonly match: string;
  /** Only there. A pattern can't say that alone: `anthropic/*` fits OpenRouter's ids too. */
  readonly platform?: string;
  readonly facts: Facts;
  readonly source: string;
}

/** What a rule is matched against. */
export interface Subject {
  readonly platform: string;
  readonly id: string;
  readonly name: string;
}

/** Whether a pattern fits a model. */
export type Matcher = (subject: Subject) => boolean;

/** Compiles a glob once, for many models. Case doesn't matter; only a glob with a slash is compared with `platform/id`. */
export function compileGlob(glob: string): Matcher {
  const pattern = new RegExp(`^${glob.split(TOKENS).map(partPattern).join("")}$`, "is");
  const fitsName: Matcher = ({ id, name }) => pattern.test(name) || (id !== name && pattern.test(id));
  if (!glob.includes("/")) return fitsName;
  return (subject) => fitsName(subject) || pattern.test(`${subject.platform}/${subject.id}`);
}

/** Whether a pattern has anything but plain characters in it. */
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

/** Lays facts over facts: what the upper one says wins, nested objects are joined, lists are replaced. */
export function mergeFacts(lower: Facts, upper: Facts): Facts {
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
