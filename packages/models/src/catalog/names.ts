/** How a name led to a model. */
export type MatchedBy = "id" | "alias" | "spelling" | "prefix" | "date" | "variant" | "suffix";

/** One way to read a model name. The parts that the key leaves out but an upstream needs are `lead` and `tail`. */
export interface Reading {
  /** What to look up, in lower case. */
  readonly key: string;
  readonly by: MatchedBy;
  /** Region and vendor in front of a Bedrock id: `us.anthropic.` */
  readonly lead: string;
  /** A date, version or variant behind the key: `-20250514`, `-v1:0`, `:free`. */
  readonly tail: string;
  /** What a client put behind the name to say how hard to think: `high`, `16k`. */
  readonly suffix: string;
}

// Longer than any id in use, ARNs and Vertex paths included, and more than any client puts behind a name: a name is what a stranger
// sends, and taking it apart costs the product of the two.
const MAX_NAME_CHARS = 256;
const MAX_CUTS = 8;

/** Every way to read a name, from the name as it stands to the one with the most taken off. */
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

/** Where the name itself says that its model runs, if it does. */
export function platformIn(name: string): string | undefined {
  const lower = name.trim().toLowerCase();
  if (lower.startsWith("~")) return "openrouter";
  const [first = "", ...others] = lower.split("/");
  const prefixed = others.length > 0 ? PLATFORM_PREFIXES.get(first) : undefined;
  if (prefixed !== undefined) return prefixed;
  if (lower.startsWith("arn:aws:bedrock:") || isBedrockId(lower.slice(lower.lastIndexOf("/") + 1))) return "bedrock";
  return /^claude.*@/.test(lower) || lower.startsWith("projects/") ? "vertex" : undefined;
}

/** A name without the prefix that says that its model runs there. Other prefixes belong to the name. */
export function withoutPlatform(name: string, platform: string | undefined): string {
  const slash = name.indexOf("/");
  const prefixed = PLATFORM_PREFIXES.get(name.slice(0, Math.max(0, slash)).toLowerCase());
  return prefixed !== undefined && prefixed === platform ? name.slice(slash + 1) : name;
}

/** The vendor's own name for the model behind a platform's id: `us.anthropic.claude-opus-4-6-v1` is `claude-opus-4-6`. */
export function vendorName(id: string): string {
  let name = unwrapBedrock(id.toLowerCase().replace(/^.*\//, "")).key;
  for (const pattern of ID_TAILS) name = name.replace(pattern, "");
  return toVendorSpelling(name);
}

/** Whether a name has the vendor in front of it, as ids on Bedrock do. */
export function isBedrockId(name: string): boolean {
  return BEDROCK_HEAD.test(name);
}

/** What an id is found by: itself, itself without routing prefix, region and Bedrock's version, and the vendor's spelling of that. */
export function keysIn(id: string): string[] {
  const whole = normalize(id);
  const named = whole.replace(BEDROCK_VERSION, "");
  const names = named === whole || named === "" ? [whole] : [whole, named];
  return names.flatMap((name) => [...heads(name)].map(({ key }) => key));
}

/** Who made the model behind a platform's id, as far as the id says so. */
export function vendorIn(id: string): string | undefined {
  const bedrock = BEDROCK_HEAD.exec(id.toLowerCase());
  if (bedrock !== null) return bedrock[1];
  const slash = id.indexOf("/");
  return slash < 0 ? undefined : id.slice(0, slash).replace(/^~/, "").toLowerCase();
}

/** OpenRouter puts `~` before names that move on to newer models. */
function normalize(name: string): string {
  return name.trim().toLowerCase().replace(/^~/, "");
}

type Head = Pick<Reading, "key" | "by" | "lead">;

function* heads(name: string): Generator<Head> {
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
  const respelled = toVendorSpelling(key);
  if (respelled !== key) yield { key: respelled, by: "spelling", lead: "" };
}

function unwrapBedrock(id: string): { lead: string; key: string } {
  const lead = BEDROCK_HEAD.exec(id)?.[0] ?? "";
  return { lead, key: id.slice(lead.length) };
}

function toVendorSpelling(name: string): string {
  if (!HAS_SPELLINGS.test(name)) return name;
  return SPELLINGS.reduce((name, [pattern, replacement]) => name.replace(pattern, replacement), name);
}

interface Cut {
  readonly rest: string;
  readonly word: string;
  readonly by: MatchedBy;
}

/** Takes the last recognised word off a name. */
function cutTail(name: string): Cut | undefined {
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

// Inference profiles put a region in front of the vendor (AWS Bedrock user guide, "Supported Regions and models for inference profiles").
// `deepseek` is left out: its ids (`deepseek.v3.2`) have no name without it.
const BEDROCK_HEAD =
  /^(?:(?:global|us|us-gov|eu|apac|jp|au|ca|sa|me|af|in)\.)?(ai21|amazon|anthropic|cohere|google|meta|minimax|mistral|moonshot|moonshotai|nvidia|openai|qwen|writer|xai|zai)\./;

// Some versions have no `v` (`gpt-oss-120b-1:0`); behind a number, as in `claude-opus-4-1:0`, the same is a model's own and a suffix.
const BEDROCK_VERSION = /-(?:v\d+(?::\d+)*(?::\d+k)?|(?<!-\d+-)1:\d)$/;
const VARIANT = /:(?:free|batch|beta|exacto|extended|flex|floor|nitro|online|thinking)$/;
const DAY = /[-@](?:20\d{6}|20\d\d-\d\d-\d\d)$/;

/** What an id may have behind the vendor's own name for the model. */
const ID_TAILS = [VARIANT, BEDROCK_VERSION, DAY];

const LEVEL = "none|minimal|low|medium|high|xhigh|max|auto";

/** What may be cut off the end of a name, the first that fits first. */
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

/** Whose names have other spellings. Most have not, and one pattern is tried sooner than eight. */
const HAS_SPELLINGS = /^(?:claude|gemini|gpt)-/;

/** Spellings of one name, each with the vendor's own. Cursor says `claude-4.6-opus`, Azure `gpt-35-turbo`. */
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
