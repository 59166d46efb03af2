import { LruMap } from "@longhaul/conversation/advanced";

/** A cost, split by what it depends on. */
export interface CostParts {
  /** Depends on how much of the prompt is read from a cache. */
  readonly promptUsd: number;
  /** Depends on how long the model writes, reasoning included. */
  readonly outputUsd: number;
}

/** How an ask is sent: appended to the cached request, or with its messages rendered as text. */
export type AskForm = "appended" | "text";

/** A model at an upstream, and the form of its requests. */
export interface CostSource {
  readonly upstream: string;
  readonly model: string;
  readonly form: AskForm;
}

/** Learns by how much summaries differ from their estimated costs, for each model and form of request. */
export interface SummaryCosts {
  /** Corrects an estimate by the earlier summaries of this source. */
  correct(source: CostSource, estimated: CostParts): CostParts;
  /** Learns from an uncorrected estimate and the actual cost. */
  learn(source: CostSource, estimated: CostParts, actual: CostParts): void;
}

/** Model names come from clients, so the oldest are evicted. */
const MAX_SOURCES = 1_000;

/** Makes an empty memory: estimates are not corrected until something is learned. */
export function makeSummaryCosts(): SummaryCosts {
  const known = new LruMap<Ratios>(MAX_SOURCES);
  return {
    correct: (source, { promptUsd, outputUsd }) => {
      const { prompt, output } = known.get(keyOf(source)) ?? UNKNOWN;
      return { promptUsd: promptUsd * prompt, outputUsd: outputUsd * output };
    },
    learn: (source, estimated, actual) => {
      const before = known.get(keyOf(source)) ?? UNKNOWN;
      const samples = before.samples + 1;
      const weight = Math.max(1 / samples, MIN_WEIGHT);
      known.set(keyOf(source), {
        samples,
        prompt: towards(before.prompt, actual.promptUsd / estimated.promptUsd, weight),
        output: towards(before.output, actual.outputUsd / estimated.outputUsd, weight),
      });
    },
  };
}

function keyOf({ upstream, model, form }: CostSource): string {
  return `${upstream}/${model}/${form}`;
}

/** Actual over estimated cost. */
interface Ratios {
  readonly prompt: number;
  readonly output: number;
  readonly samples: number;
}

const UNKNOWN: Ratios = { prompt: 1, output: 1, samples: 0 };

/** Weight of the newest sample once there are many. */
const MIN_WEIGHT = 0.25;
/** A single summary never counts as more than this far off. */
const MOST = 10;

/** Moves a ratio towards a sample. The sample is not a number if nothing was expected; then nothing is learned. */
function towards(ratio: number, sample: number, weight: number): number {
  if (!Number.isFinite(sample)) return ratio;
  const bounded = Math.min(Math.max(sample, 1 / MOST), MOST);
  return ratio + (bounded - ratio) * weight;
}
