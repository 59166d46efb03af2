/** Reads the price list of the npm package genai-prices, for `build-catalog.ts`. */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { z } from "zod";
import type { SourceModel, SourceRates } from "./catalog-source.ts";

/** Our platforms, with genai-prices' names. */
const GENAI_PROVIDERS: Readonly<Record<string, string>> = {
  anthropic: "anthropic",
  openai: "openai",
  google: "google",
  vertex: "google",
  bedrock: "aws",
  openrouter: "openrouter",
  deepseek: "deepseek",
  xai: "x-ai",
  mistral: "mistral",
  groq: "groq",
  cerebras: "cerebras",
  moonshotai: "moonshotai",
  zai: "z-ai",
  minimax: "minimax",
};

type MatchLogic =
  | { readonly or: readonly MatchLogic[] }
  | { readonly and: readonly MatchLogic[] }
  | { readonly equals: string }
  | { readonly starts_with: string }
  | { readonly ends_with: string }
  | { readonly contains: string }
  | { readonly regex: string };

const matchLogic: z.ZodType<MatchLogic> = z.lazy(() =>
  z.union([
    z.object({ or: z.array(matchLogic) }),
    z.object({ and: z.array(matchLogic) }),
    z.object({ equals: z.string() }),
    z.object({ starts_with: z.string() }),
    z.object({ ends_with: z.string() }),
    z.object({ contains: z.string() }),
    z.object({ regex: z.string() }),
  ]),
);

const genaiPrice = z.union([
  z.number(),
  z.object({ base: z.number(), tiers: z.array(z.object({ start: z.number(), price: z.number() })) }),
]);
const genaiPrices = z.object({
  input_mtok: genaiPrice.optional(),
  output_mtok: genaiPrice.optional(),
  cache_read_mtok: genaiPrice.optional(),
  cache_write_mtok: genaiPrice.optional(),
  cache_write_1h_mtok: genaiPrice.optional(),
});
const dated = z.array(
  z.object({ constraint: z.object({ start_date: z.string().optional() }).optional(), prices: genaiPrices }),
);
const genaiModel = z.object({
  id: z.string(),
  match: matchLogic,
  context_window: z.number().optional(),
  prices: z.union([dated, genaiPrices]),
});

/** A model in genai-prices. `listed` are the ids that its rule names in full. */
export interface GenaiModel extends SourceModel {
  readonly id: string;
  readonly listed: readonly string[];
  readonly fits: (id: string) => boolean;
}

/** Reads genai-prices' models per platform, at the prices of `date`. */
export async function readGenaiPrices(
  folder: string,
  date: string,
): Promise<ReadonlyMap<string, readonly GenaiModel[]>> {
  const code: unknown = await import(pathToFileURL(join(folder, "dist/index.js")).href);
  const { findProvider } = z
    .object({ findProvider: z.function({ input: [z.unknown()], output: z.unknown() }) })
    .parse(code);
  return new Map(
    Object.entries(GENAI_PROVIDERS).map(([platform, providerId]) => {
      const provider = z
        .object({ models: z.array(genaiModel) })
        .optional()
        .parse(findProvider({ providerId }));
      return [platform, (provider?.models ?? []).map((model) => toGenaiModel(model, date))];
    }),
  );
}

function toGenaiModel(raw: z.infer<typeof genaiModel>, date: string): GenaiModel {
  const prices = Array.isArray(raw.prices) ? pricesAt(raw.prices, date) : raw.prices;
  const rates = genaiRates(prices, 0);
  return {
    id: raw.id,
    listed: listedIds(raw.match),
    fits: (id) => matches(raw.match, id),
    ...(raw.context_window !== undefined && { window: raw.context_window }),
    ...(rates !== undefined && { rates }),
    tiers: genaiTiers(prices),
  };
}

function pricesAt(choices: z.infer<typeof dated>, date: string): z.infer<typeof genaiPrices> {
  const started = choices.filter(({ constraint }) => (constraint?.start_date ?? "") <= date);
  return started.at(-1)?.prices ?? {};
}

function genaiTiers(prices: z.infer<typeof genaiPrices>): SourceModel["tiers"] {
  const input = prices.input_mtok;
  const starts = typeof input === "object" ? input.tiers.map(({ start }) => start) : [];
  return starts.flatMap((start) => {
    const rates = genaiRates(prices, start);
    // Its steps include their start, ours do not; 271,999 and 272,000 mean the same to it.
    return rates === undefined ? [] : [{ above: start % 1_000 === 999 ? start + 1 : start, ...rates }];
  });
}

function genaiRates(prices: z.infer<typeof genaiPrices>, prompt: number): SourceRates | undefined {
  const input = priceFor(prices.input_mtok, prompt);
  const output = priceFor(prices.output_mtok, prompt);
  if (input === undefined || output === undefined) return undefined;
  const cacheRead = priceFor(prices.cache_read_mtok, prompt);
  const cacheWrite = priceFor(prices.cache_write_mtok, prompt);
  const cacheWriteHour = priceFor(prices.cache_write_1h_mtok, prompt);
  return {
    input,
    output,
    ...(cacheRead !== undefined && { cacheRead }),
    ...(cacheWrite !== undefined && { cacheWrite }),
    ...(cacheWriteHour !== undefined && { cacheWriteHour }),
  };
}

function priceFor(price: z.infer<typeof genaiPrice> | undefined, prompt: number): number | undefined {
  if (typeof price !== "object") return price;
  return price.tiers.findLast(({ start }) => start <= prompt && prompt > 0)?.price ?? price.base;
}

function matches(logic: MatchLogic, id: string): boolean {
  if ("or" in logic) return logic.or.some((part) => matches(part, id));
  if ("and" in logic) return logic.and.every((part) => matches(part, id));
  if ("equals" in logic) return id === logic.equals;
  if ("starts_with" in logic) return id.startsWith(logic.starts_with);
  if ("ends_with" in logic) return id.endsWith(logic.ends_with);
  if ("contains" in logic) return id.includes(logic.contains);
  return new RegExp(logic.regex).test(id);
}

function listedIds(logic: MatchLogic): string[] {
  if ("or" in logic) return logic.or.flatMap(listedIds);
  return "equals" in logic ? [logic.equals] : [];
}
