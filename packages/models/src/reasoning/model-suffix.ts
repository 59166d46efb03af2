import { EFFORTS } from "@longhaul/conversation";
import { findModel } from "../catalog/find-model.ts";
import type { Catalog } from "../catalog/load-catalog.ts";
import { parseReasoning, type RequestedReasoning } from "./requested-reasoning.ts";

/** A model's name, with what the client put behind it taken off. */
export interface NamedModel {
  /** The name to look the model up by; the whole name where nothing is a suffix. */
  readonly base: string;
  readonly suffix?: ModelSuffix;
}

/** What a client put behind a model's name. */
export interface ModelSuffix {
  /** As the client wrote it. */
  readonly text: string;
  /** Absent where it is no level and no number. */
  readonly requested?: RequestedReasoning;
}

/** Which names stand for something as they are. */
export interface KnownNames {
  /** Whether a whole name is a route or a model: nothing of it is a suffix then. */
  isWhole(name: string): boolean;
  /** Whether what stands behind a name may be a suffix. */
  isBase(name: string): boolean;
}

/** Longer than any id in use; a name is what a stranger sends. */
const MAX_NAME_CHARS = 256;

/**
 * Takes off a model's name what says how hard to think: `:4k`, `:high`, `(high)`, `-high`, `-thinking-8000`, `[1m]`. A name that is known as
 * it is stays whole, and so does one with nothing known before what looks like a suffix.
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

/** Claude Code marks names whose window it takes for a million tokens; upstreams know nothing of it. */
const LONG_MARK = /(?:\[1m\])+$/i;

/** Cursor marks names that it wants served sooner, behind the suffix; alone it may be part of a name. */
const MARKS = /(?:\[1m\]|-fast)+$/i;

/** One way to write a suffix. */
interface Form {
  /** What stands before it, and its words. */
  readonly pattern: RegExp;
  read(text: string): RequestedReasoning | undefined;
}

const AUTO: RequestedReasoning = { kind: "auto" };

/** OpenRouter has variants of models by this name. */
function readWord(text: string): RequestedReasoning | undefined {
  return text.toLowerCase() === "thinking" ? AUTO : parseReasoning(text);
}

const LEVEL = [...EFFORTS, "auto"].join("|");

/** The first one that stands behind a known name counts: `kimi-k2-thinking-high` is a model that thinks, told how hard. */
const FORMS: readonly Form[] = [
  { pattern: /^(.+)\(([^()]*)\)$/s, read: (text) => (text === "-1" ? AUTO : parseReasoning(text)) },
  // Bedrock's versions look like it: `-v1:0`.
  { pattern: /^((?!.*-v\d+:\d+$).+):([^:]*)$/s, read: readWord },
  { pattern: new RegExp(`^(.+)-(${LEVEL})(?:-thinking)?$`, "is"), read: parseReasoning },
  { pattern: new RegExp(`^(.+)-thinking-(\\d+k?|${LEVEL})$`, "is"), read: parseReasoning },
  { pattern: /^(.+)-thinking()$/is, read: () => AUTO },
  { pattern: /^(.+)-(nothinking)$/is, read: () => ({ kind: "off" }) },
];

/** Whether a whole name, with nothing behind it, stands for a model that the catalog lists or that an override tells of. */
export function knowsModel(catalog: Catalog, name: string): boolean {
  const { matchedBy, suffix } = findModel(catalog, name);
  return suffix === undefined && matchedBy !== "family" && matchedBy !== "default" && !BARE_VARIANT.test(name);
}

/** A variant of OpenRouter's where the name is a vendor's own: it can only be meant as a wish. */
const BARE_VARIANT = /^[^/]*:thinking$/i;
