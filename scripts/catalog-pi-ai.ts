/** Reads the model data of the npm package pi-ai, for `build-catalog.ts`. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import type { SourceModel, SourceRates } from "./catalog-source.ts";

/** A model at one platform in pi-ai. */
export interface PiModel extends SourceModel {
  readonly platform: string;
  readonly id: string;
  readonly window: number;
  readonly maxOutput: number;
  readonly rates: SourceRates;
  readonly levels: readonly Level[] | null;
  readonly images: number | null;
}

const LEVELS = ["minimal", "low", "medium", "high", "xhigh", "max"] as const;
type Level = "none" | (typeof LEVELS)[number];

/** pi-ai's file names, with our platform names. */
const PI_FILES = {
  anthropic: "anthropic",
  openai: "openai",
  google: "google",
  "google-vertex": "vertex",
  "amazon-bedrock": "bedrock",
  openrouter: "openrouter",
  deepseek: "deepseek",
  xai: "xai",
  mistral: "mistral",
  groq: "groq",
  cerebras: "cerebras",
  moonshotai: "moonshotai",
  zai: "zai",
  minimax: "minimax",
} as const;

const piCost = z.object({ input: z.number(), output: z.number(), cacheRead: z.number(), cacheWrite: z.number() });

const piModel = z.object({
  id: z.string(),
  type: z.literal("chat"),
  reasoning: z.boolean(),
  thinkingLevelMap: z.record(z.string(), z.string().nullable()).optional(),
  input: z.array(z.string()),
  cost: piCost.extend({ tiers: z.array(piCost.extend({ inputTokensAbove: z.number() })).optional() }),
  contextWindow: z.number(),
  maxTokens: z.number(),
  inputLimits: z.object({ images: z.object({ maxPerRequest: z.number().optional() }).optional() }).optional(),
});

const piFile = z.record(z.string(), z.record(z.string(), z.object({ type: z.string() }).loose()));

/** Reads pi-ai's chat models, without batch prices and routers for many models. */
export function readPiAi(folder: string): { models: PiModel[]; date: string } {
  const data = join(folder, "dist/providers/data");
  const manifest = z.object({ generatedAt: z.string() }).parse(readJson(join(data, ".manifest.json")));
  const models = Object.entries(PI_FILES).flatMap(([file, platform]) =>
    Object.values(piFile.parse(readJson(join(data, `${file}.json`))))
      .flatMap((group) => Object.values(group))
      .filter(({ type }) => type === "chat")
      .map((raw) => toPiModel(platform, piModel.parse(raw)))
      .filter(({ id }) => !LEFT_OUT.test(id)),
  );
  return { models, date: manifest.generatedAt.slice(0, "2026-01-01".length) };
}

const LEFT_OUT = /:batch$|^auto$|^openrouter\/|-router$/;

function toPiModel(platform: string, raw: z.infer<typeof piModel>): PiModel {
  return {
    platform,
    id: raw.id,
    window: raw.contextWindow,
    maxOutput: Math.min(raw.maxTokens, raw.contextWindow),
    rates: piRates(raw.cost),
    tiers: (raw.cost.tiers ?? []).map((tier) => ({ above: tier.inputTokensAbove, ...piRates(tier) })),
    levels: raw.reasoning ? piLevels(raw.thinkingLevelMap ?? {}) : null,
    images: raw.input.includes("image") ? (raw.inputLimits?.images?.maxPerRequest ?? 0) : null,
  };
}

/** In pi-ai a cache price of 0 beside an input price means unknown. */
function piRates({ input, output, cacheRead, cacheWrite }: z.infer<typeof piCost>): SourceRates {
  const isKnown = (price: number) => price > 0 || input === 0;
  return {
    input,
    output,
    ...(isKnown(cacheRead) && { cacheRead }),
    ...(isKnown(cacheWrite) && { cacheWrite }),
  };
}

/** In pi-ai null means rejected; unmentioned efforts are accepted, except the two highest. */
function piLevels(map: Readonly<Record<string, string | null>>): Level[] {
  const taken = LEVELS.filter((level) =>
    level === "xhigh" || level === "max" ? map[level] != null : map[level] !== null,
  );
  return map.off === null ? taken : ["none", ...taken];
}

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(path, "utf8"));
}
