/** How a name was matched to a model. */
export type MatchedBy = "id" | "alias" | "spelling" | "prefix" | "date" | "variant" | "suffix";

/** One interpretation of a model name. `lead` and `tail` are the parts that an upstream needs but the key omits. */
export interface Reading {
  /** The lookup key, in lower case. */
  readonly key: string;
  readonly by: MatchedBy;
  /** Region and vendor before a Bedrock id: `us.anthropic.` */
  readonly lead: string;
  /** A date, version or variant after the key: `-20250514`, `-v1:0`, `:free`. */
  readonly tail: string;
  /** The reasoning suffix after the name: `high`, `16k`. */
  readonly suffix: string;
}

// Longer than any id in use, including ARNs and Vertex paths, and more suffixes than any client appends: clients may send anything as a
// name, and parsing costs the product of the two.
const MAX_NAME_CHARS = 256;
const MAX_CUTS = 8;

/** Yields all interpretations of a name, from the name itself to the one with the most removed. */
export function* readings(name: string): Generator<Reading> {
  if (name.length > MAX_NAME_CHARS) return;
  let rest = normalize(name);
  let by: MatchedBy = "id";
  let tail = "";
  let suffix = "";
  for (let cuts = 0; cuts <= MAX_CUTS; cuts += 1) {
    for (const head of heads(rest)) yield { ...head, by: head.by === "id" ? by : head.by, tail, suffix };
    const cut = cutTail(rest);
    if (cut === undefined) return;
    rest = cut.rest;
    by = cut.by;
    if (cut.by === "suffix") suffix = suffix === "" ? cut.word : `${cut.word}-${suffix}`;
    else tail = `${cut.word}${tail}`;
  }
}

/** Returns the platform that a name indicates, if any. */
export function platformIn(name: string): string | undefined {
  const lower = name.trim().toLowerCase();
  if (lower.startsWith("~")) return "openrouter";
  const [first = "", ...others] = lower.split("/");
  const prefixed = others.length > 0 ? PLATFORM_PREFIXES.get(first) : undefined;
  if (prefixed !== undefined) return prefixed;
  if (lower.startsWith("arn:aws:bedrock:") || isBedrockId(lower.slice(lower.lastIndexOf("/") + 1))) return "bedrock";
  return /^claude.*@/.test(lower) || lower.startsWith("projects/") ? "vertex" : undefined;
}

/** Removes the prefix of a platform from a name. Other prefixes are part of the name. */
export function withoutPlatform(name: string, platform: string | undefined): string {
  const slash = name.indexOf("/");
  const prefixed = PLATFORM_PREFIXES.get(name.slice(0, Math.max(0, slash)).toLowerCase());
  return prefixed !== undefined && prefixed === platform ? name.slice(slash + 1) : name;
}

/** Returns the vendor's name of the model behind a platform's id: `us.anthropic.claude-opus-4-6-v1` is `claude-opus-4-6`. */
export function vendorName(id: string): string {
  let name = unwrapBedrock(id.toLowerCase().replace(/^.*\//, "")).key;
  for (const pattern of ID_TAILS) name = name.replace(pattern, "");
  return toVendorSpelling(name);
}

/** Whether a name starts with a vendor, like ids on Bedrock. */
export function isBedrockId(name: string): boolean {
  return BEDROCK_HEAD.test(name);
}

/** Returns the lookup keys of an id: the id itself, without routing prefix, region and Bedrock version, and in the vendor's spelling. */
export function keysIn(id: string): string[] {
  const whole = normalize(id);
  const named = whole.replace(BEDROCK_VERSION, "");
  const names = named === whole || named === "" ? [whole] : [whole, named];
  return names.flatMap((name) => [...heads(name)].map(({ key }) => key));
}

/** Returns the vendor of the model behind a platform's id, if the id contains it. */
export function vendorIn(id: string): string | undefined {
  const bedrock = BEDROCK_HEAD.exec(id.toLowerCase());
  if (bedrock !== null) return bedrock[1];
  const slash = id.indexOf("/");
  return slash < 0 ? undefined : id.slice(0, slash).replace(/^~/, "").toLowerCase();
}

/** OpenRouter puts `~` before names that move to newer models. */
function normalize(name: string): string {
  return name.trim().toLowerCase().replace(/^~/, "");
}

function* heads(name: string): Generator<Pick<Reading, "key" | "by" | "lead">> {
  let rest = name;
  let by: MatchedBy = "id";
  for (;;) {
    yield { key: rest, by, lead: "" };
    const slash = rest.indexOf("/");
    if (slash < 0) break;
    rest = rest.slice(slash + 1);
    by = "prefix";
  }
  const { lead, key } = unwrapBedrock(rest);
  if (lead !== "") yield { key, by: "prefix", lead };
  const vendorKey = toVendorSpelling(key);
  if (vendorKey !== key) yield { key: vendorKey, by: "spelling", lead: "" };
}

function unwrapBedrock(id: string): { lead: string; key: string } {
  const lead = BEDROCK_HEAD.exec(id)?.[0] ?? "";
  return { lead, key: id.slice(lead.length) };
}

function toVendorSpelling(name: string): string {
  if (!HAS_SPELLINGS.test(name)) return name;
  return SPELLINGS.reduce((name, [pattern, replacement]) => name.replace(pattern, replacement), name);
}

function cutTail(name: string): { rest: string; word: string; by: MatchedBy } | undefined {
  for (const { pattern, by } of TAILS) {
    const found = pattern.exec(name);
    if (found === null || found.index === 0) continue;
    return { rest: name.slice(0, found.index), word: by === "suffix" ? (found[1] ?? "") : found[0], by };
  }
  return undefined;
}

const PLATFORM_PREFIXES: ReadonlyMap<string, string> = new Map([
  ["anthropic", "anthropic"],
  ["openai", "openai"],
  ["google", "google"],
  ["gemini", "google"],
  ["models", "google"],
  ["vertex", "vertex"],
  ["vertex_ai", "vertex"],
  ["google-vertex", "vertex"],
  ["bedrock", "bedrock"],
  ["amazon-bedrock", "bedrock"],
  ["openrouter", "openrouter"],
  ["deepseek", "deepseek"],
  ["xai", "xai"],
  ["x-ai", "xai"],
  ["mistral", "mistral"],
  ["mistralai", "mistral"],
  ["groq", "groq"],
  ["cerebras", "cerebras"],
  ["moonshotai", "moonshotai"],
  ["zai", "zai"],
  ["z-ai", "zai"],
  ["minimax", "minimax"],
]);

// Inference profiles put a region before the vendor (AWS Bedrock user guide, "Supported Regions and models for inference profiles").
// `deepseek` is not listed: its ids (`deepseek.v3.2`) have no name without it.
const BEDROCK_HEAD =
  /^(?:(?:global|us|us-gov|eu|apac|jp|au|ca|sa|me|af|in)\.)?(ai21|amazon|anthropic|cohere|google|meta|minimax|mistral|moonshot|moonshotai|nvidia|openai|qwen|writer|xai|zai)\./;

// Some versions have no `v` (`gpt-oss-120b-1:0`); after a number, as in `claude-opus-4-1:0`, it is part of the model's name and a suffix.
const BEDROCK_VERSION = /-(?:v\d+(?::\d+)*(?::\d+k)?|(?<!-\d+-)1:\d)$/;
const VARIANT = /:(?:free|batch|beta|exacto|extended|flex|floor|nitro|online|thinking)$/;
const DAY = /[-@](?:20\d{6}|20\d\d-\d\d-\d\d)$/;

/** Patterns that may follow the vendor's name in an id. */
const ID_TAILS = [VARIANT, BEDROCK_VERSION, DAY];

const LEVEL = "none|minimal|low|medium|high|xhigh|max|auto";

/** Patterns that may be removed from the end of a name; the first match wins. */
const TAILS: readonly { readonly pattern: RegExp; readonly by: MatchedBy }[] = [
  { pattern: BEDROCK_VERSION, by: "variant" },
  { pattern: /\[(1m)\]$/, by: "suffix" },
  { pattern: new RegExp(`\\((${LEVEL}|-1|\\d{1,7})\\)$`), by: "suffix" },
  { pattern: VARIANT, by: "variant" },
  { pattern: new RegExp(`:(${LEVEL}|\\d{1,7}k?)$`), by: "suffix" },
  { pattern: new RegExp(`-(${LEVEL}|fast|thinking|nothinking|thinking-\\d{1,7})$`), by: "suffix" },
  { pattern: DAY, by: "date" },
  { pattern: /[-@](?:latest|default)$/, by: "date" },
  { pattern: /-(?:preview|exp)(?:-\d\d-(?:\d\d|\d{4}))?$/, by: "date" },
  { pattern: /-\d{3,4}$/, by: "date" },
];

const CLAUDE_LINE = "(opus|sonnet|haiku|fable|mythos)";

/** Names with several spellings. Most have only one, and a single pattern is faster than eight. */
const HAS_SPELLINGS = /^(?:claude|gemini|gpt)-/;

/** Spellings of a name, each with the vendor's. Cursor uses `claude-4.6-opus`, Azure `gpt-35-turbo`. */
const SPELLINGS: readonly (readonly [RegExp, string])[] = [
  [/^(claude-[a-z0-9-]*\d)\.(?=\d)/, "$1-"],
  [new RegExp(`^claude-([4-9])(?:-(\\d))?-${CLAUDE_LINE}(?=$|-)`), "claude-$3-$1-$2"],
  [new RegExp(`^claude-${CLAUDE_LINE}-(3)-(\\d)(?=$|-)`), "claude-$2-$3-$1"],
  [new RegExp(`^(claude-${CLAUDE_LINE}-[4-9])-0?(?=$|-)`), "$1"],
  [/^(claude-3.*)-latest$/, "$1"],
  [/^gpt-35-/, "gpt-3.5-"],
  [/^gpt-([4-9])-(\d)(?=$|-)/, "gpt-$1.$2"],
  [/^gemini-(\d)-(\d)(?=-)/, "gemini-$1.$2"],
];
