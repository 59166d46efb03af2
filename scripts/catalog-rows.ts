/** Merges two sources into the rows of the catalog, for `build-catalog.ts`. */
import { readings, vendorName } from "../packages/models/src/catalog/names.ts";
import type { CatalogFile, CatalogRow } from "../packages/models/src/catalog/rows.ts";
import { decide } from "./catalog-decisions.ts";
import type { GenaiModel } from "./catalog-genai-prices.ts";
import type { PiModel } from "./catalog-pi-ai.ts";
import type { SourceModel, SourceRates } from "./catalog-source.ts";

/** A disagreement of two sources about one model: `platform/id`, field, and both values. */
export type Disagreement = readonly [model: string, field: string, ours: number, theirs: number];
type Genai = ReadonlyMap<string, readonly GenaiModel[]>;

/** Prices further apart than this are a disagreement; less is rounding. */
const PRICE_TOLERANCE = 0.01;
/** Some sources write a million tokens, others 2^20, for the same window. */
const WINDOW_TOLERANCE = 0.05;
const TOLERANCES: Readonly<Record<string, number>> = { window: WINDOW_TOLERANCE, tiers: 0 };

/** Returns the catalog's rows, sorted, and the disagreements between the sources. */
export function makeRows(
  pi: readonly PiModel[],
  genai: Genai,
): { readonly models: CatalogFile["models"]; readonly disagreements: readonly Disagreement[] } {
  const disagreements = pi.flatMap((model) => compare(model, counterpart(model, genai)));
  const settled = pi.map((model) => settle(model, counterpart(model, genai), disagreements)).map(rowOf);
  const retired = retiredRows(settled, genai);
  const rows = [...settled, ...retired];
  return { models: sorted([...rows, ...vertexClaude(rows)]), disagreements };
}

function counterpart(model: PiModel, genai: Genai): GenaiModel | undefined {
  return genai.get(model.platform)?.find(({ fits }) => fits(model.id));
}

const RATE_FIELDS = ["input", "output", "cacheRead", "cacheWrite"] as const;

function compare(ours: PiModel, theirs: GenaiModel | undefined): Disagreement[] {
  if (theirs === undefined) return [];
  return pairs(ours, theirs).flatMap(([field, a, b]) => {
    const tolerance = TOLERANCES[field] ?? PRICE_TOLERANCE;
    const differ = a !== undefined && b !== undefined && Math.abs(a - b) > tolerance * Math.max(a, b);
    return differ ? [[`${ours.platform}/${ours.id}`, field, a, b] satisfies Disagreement] : [];
  });
}

type Pair = readonly [field: string, ours: number | undefined, theirs: number | undefined];

function pairs(ours: PiModel, theirs: GenaiModel): Pair[] {
  const tiers = ours.tiers.flatMap((tier, index): Pair[] => {
    const other = theirs.tiers[index];
    return [
      ["tier.above", tier.above, other?.above],
      ...RATE_FIELDS.map((field): Pair => [`tier.${field}`, tier[field], other?.[field]]),
    ];
  });
  return [
    ["window", ours.window, theirs.window],
    ...RATE_FIELDS.map((field): Pair => [field, ours.rates[field], theirs.rates?.[field]]),
    ["tiers", ours.tiers.length, theirs.rates === undefined ? undefined : theirs.tiers.length],
    ...tiers,
  ];
}

/** Uses the other source where a decision says so, and its prices for models without prices in pi-ai. */
function settle(ours: PiModel, theirs: GenaiModel | undefined, disagreements: readonly Disagreement[]): PiModel {
  if (theirs === undefined) return ours;
  const model = `${ours.platform}/${ours.id}`;
  const lost = new Set(
    disagreements
      .filter(([subject, field]) => subject === model && decide(model, field)?.wins === "genai-prices")
      .map(([, field]) => field),
  );
  const takesTiers = [...lost].some((field) => field.startsWith("tier"));
  return {
    ...ours,
    ...(lost.has("window") && theirs.window !== undefined && { window: theirs.window }),
    rates: settleRates(ours.rates, theirs.rates, lost),
    tiers: takesTiers ? theirs.tiers : ours.tiers.map((tier, index) => settleTier(tier, theirs.tiers[index])),
  };
}

function settleRates(ours: SourceRates, theirs: SourceRates | undefined, lost: ReadonlySet<string>): SourceRates {
  if (theirs === undefined) return ours;
  const won = RATE_FIELDS.filter((field) => lost.has(field)).map((field) => [field, theirs[field]]);
  return { ...theirs, ...ours, ...Object.fromEntries(won) };
}

function settleTier(
  tier: PiModel["tiers"][number],
  other: SourceModel["tiers"][number] | undefined,
): PiModel["tiers"][number] {
  return other === undefined ? tier : { ...other, ...tier };
}

function rowOf({ platform, id, window, maxOutput, rates, tiers, levels, images }: PiModel): CatalogRow {
  return [
    platform,
    id,
    window,
    maxOutput,
    encodeRates(rates),
    encodeTiers(tiers),
    levels === null ? null : [...levels],
    images,
  ];
}

function encodeRates({
  input,
  output,
  cacheRead,
  cacheWrite,
  cacheWriteHour,
}: SourceRates): NonNullable<CatalogRow[4]> {
  return [input, output, cacheRead ?? null, cacheWrite ?? null, cacheWriteHour ?? null];
}

function encodeTiers(tiers: SourceModel["tiers"]): CatalogRow[5] {
  return tiers.map((tier) => [tier.above, ...encodeRates(tier)]);
}

const VENDORS = ["anthropic", "openai", "google"] as const;

/** Not chat models, or with another window than the model whose price they share. */
const NOT_CHAT =
  /audio|chat|claude-v|computer|davinci|embed|extended|^ft:|\.ft|gpt-oss|-high$|image|instruct|live|moderation|omni|realtime|sora|transcri|tts|video|whisper/;

/** Models that pi-ai no longer lists but people still use: windows and prices from the price list, the rest from the overlay. */
function retiredRows(rows: readonly CatalogRow[], genai: Genai): CatalogRow[] {
  return VENDORS.flatMap((platform) => {
    const known = new Set(rows.filter((row) => row[0] === platform).map(([, id]) => id));
    return (genai.get(platform) ?? []).flatMap((model) =>
      [model.id, ...model.listed]
        .filter((id) => !NOT_CHAT.test(id) && isOf(platform, id))
        .flatMap((id) => (isCovered(id, model, known) ? [] : addedRow(platform, id, { model, known }))),
    );
  });
}

/** Whether a lookup of the id already finds a model with the same price rule. */
function isCovered(id: string, model: GenaiModel, known: ReadonlySet<string>): boolean {
  const found = [...readings(id)].find(({ key, suffix }) => suffix === "" && known.has(key))?.key;
  return found !== undefined && (found === id || found === model.id || model.fits(found));
}

function isOf(platform: string, id: string): boolean {
  return platform !== "google" || id.startsWith("gemini");
}

function addedRow(
  platform: string,
  id: string,
  { model, known }: { model: GenaiModel; known: Set<string> },
): CatalogRow[] {
  const { window, rates, tiers } = model;
  if (window === undefined || rates === undefined) return [];
  known.add(id).add(vendorName(id));
  return [[platform, id, window, null, encodeRates(rates), encodeTiers(tiers), null, 0]];
}

/** Claude on Vertex has Anthropic's prices and ids with `@` before the date; pi-ai lists only Gemini there. */
function vertexClaude(rows: readonly CatalogRow[]): CatalogRow[] {
  return rows
    .filter(([platform]) => platform === "anthropic")
    .map(([, id, ...rest]) => ["vertex", id.replace(/-(20\d{6})$/, "@$1"), ...rest]);
}

function sorted(rows: readonly CatalogRow[]): CatalogRow[] {
  const key = ([platform, id]: CatalogRow) => `${platform} ${id}`;
  return rows.toSorted((a, b) => (key(a) < key(b) ? -1 : 1));
}
