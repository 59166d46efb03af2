import { EFFORTS } from "@longhaul/conversation/advanced";
import { findModel } from "../catalog/find-model.ts";
import type { Catalog } from "../catalog/load-catalog.ts";
import { parseReasoning, type RequestedReasoning } from "./requested-reasoning.ts";

/** A model name, split into base and suffix. */
export interface NamedModel {
  /** The name to look up; the whole name if there is no suffix. */
  readonly base: string;
  readonly suffix?: ModelSuffix;
}

/** A suffix that a client appended to a model name. */
export interface ModelSuffix {
  /** As the client wrote it. */
  readonly text: string;
  /** Absent if it is neither a level nor a number. */
  readonly requested?: RequestedReasoning;
}

/** Which names are known. */
export interface KnownNames {
  /** Whether a whole name is a route or a model: then it has no suffix. */
  isWhole(name: string): boolean;
  /** Whether a name may be followed by a suffix. */
  isBase(name: string): boolean;
}

/** Longer than any id in use; clients may send anything as a name. */
const MAX_NAME_CHARS = 256;

/**
 * Splits a reasoning suffix from a model name: `:4k`, `:high`, `(high)`, `-high`, `-thinking-8000`, `[1m]`. A name that is known as a whole
 * is not split, nor is one with an unknown base.
 */
export function parseModelName(name: string, { isWhole, isBase }: KnownNames): NamedModel {
  if (name.length > MAX_NAME_CHARS || isWhole(name)) return { base: name };
  const short = name.replace(LONG_MARK, "");
  if (short !== name && isBase(short)) return { base: short };
  const unmarked = name.replace(MARKS, "");
  for (const { pattern, read } of FORMS) {
    const [, head, text] = pattern.exec(unmarked) ?? [];
    if (head === undefined || text === undefined) continue;
    const base = [head, head.replace(MARKS, "")].find(isBase);
    if (base === undefined) continue;
    const requested = read(text);
    return { base, suffix: { text, ...(requested !== undefined && { requested: requested }) } };
  }
  return { base: name };
}

/** Claude Code marks models that it assumes to have a window of a million tokens; upstreams do not know the mark. */
const LONG_MARK = /(?:\[1m\])+$/i;

/** Cursor marks fast variants after the suffix; alone, `-fast` may be part of a name. */
const MARKS = /(?:\[1m\]|-fast)+$/i;

const AUTO: RequestedReasoning = { kind: "auto" };

const LEVEL = [...EFFORTS, "auto"].join("|");

/**
 * The ways to write a suffix; each pattern captures the base and the suffix. The first one with a known base counts:
 * `kimi-k2-thinking-high` is a reasoning model with an effort level.
 */
const FORMS: readonly { pattern: RegExp; read(text: string): RequestedReasoning | undefined }[] = [
  { pattern: /^(.+)\(([^()]*)\)$/s, read: (text) => (text === "-1" ? AUTO : parseReasoning(text)) },
  // Excludes Bedrock versions such as `-v1:0`. OpenRouter has model variants with the name `thinking`.
  {
    pattern: /^((?!.*-v\d+:\d+$).+):([^:]*)$/s,
    read: (text) => (text.toLowerCase() === "thinking" ? AUTO : parseReasoning(text)),
  },
  { pattern: new RegExp(`^(.+)-(${LEVEL})(?:-thinking)?$`, "is"), read: parseReasoning },
  { pattern: new RegExp(`^(.+)-thinking-(\\d+k?|${LEVEL})$`, "is"), read: parseReasoning },
  { pattern: /^(.+)-thinking()$/is, read: () => AUTO },
  { pattern: /^(.+)-(nothinking)$/is, read: () => ({ kind: "off" }) },
];

/** Whether a whole name, without a suffix, is in the catalog or in an override. */
export function knowsModel(catalog: Catalog, name: string): boolean {
  const { matchedBy, suffix } = findModel(catalog, name);
  return suffix === undefined && matchedBy !== "family" && matchedBy !== "default" && !BARE_VARIANT.test(name);
}

/** An OpenRouter variant of a vendor's own name can only mean reasoning. */
const BARE_VARIANT = /^[^/]*:thinking$/i;
