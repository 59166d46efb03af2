import { LruMap } from "@longhaul/conversation";

/** A cost, split by what it depends on. */
export interface CostParts {
  /** Depends on how much of the prompt is read from a cache. */
  readonly promptUsd: number;
  /** Depends on how long the model writes, reasoning included. */
  readonly outputUsd: number;
}

/** Learns by how much summaries differ from their estimated costs, for each writer. */
export interface SummaryCosts {
  /** Corrects an estimate by the earlier summaries of this writer. */
  correct(writer: string, estimated: CostParts): CostParts;
  /** Learns from an uncorrected estimate and the actual cost. */
  learn(writer: string, estimated: CostParts, actual: CostParts): void;
}

/** Model names come from clients, so the oldest are evicted. */
const MAX_WRITERS = 1_000;

/** Makes an empty memory: estimates are not corrected until something is learned. */
export function makeSummaryCosts(): SummaryCosts {
  const known = new LruMap<Ratios>(MAX_WRITERS);
  return {
    correct: (writer, { promptUsd, outputUsd }) => {
      const { prompt, output } = known.get(writer) ?? UNKNOWN;
      return { promptUsd: promptUsd * prompt, outputUsd: outputUsd * output };
    },
    learn: (writer, estimated, actual) => {
      const before = known.get(writer) ?? UNKNOWN;
      const samples = before.samples + 1;
      const weight = Math.max(1 / samples, MIN_WEIGHT);
      known.set(writer, {
        samples,
        prompt: towards(before.prompt, actual.promptUsd / estimated.promptUsd, weight),
        output: towards(before.output, actual.outputUsd / estimated.outputUsd, weight),
      });
    },
  };
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
