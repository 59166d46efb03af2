/** What was measured of a strategy; `docs/strategies/README.md` says how, and holds the same figures. */
export interface StrategyFigures {
  /** What of a conversation it loses. */
  readonly loses: string;
  readonly chooseFor: string;
  /** Of a generated session that is to be condensed to half, in percent. */
  readonly tokensLeftPercent: number;
  readonly milliseconds: number;
  readonly modelCalls: number;
  /** At $3 for a million tokens in and $15 out. */
  readonly costUsd: number;
  /** Of what the assistant uses next, how much is still there when a quarter of the tokens is left; nothing is lost where absent. */
  readonly recallAtQuarter?: number;
}

/** By the strategy's id. */
export const STRATEGY_FIGURES: Readonly<Record<string, StrategyFigures>> = {
  native: {
    loses: "medium",
    chooseFor: "what users of Roo Code know",
    tokensLeftPercent: 3.0,
    milliseconds: 113,
    modelCalls: 1,
    // biome-ignore lint/suspicious/noApproximativeNumericConstant: a price, not the square root of a half
    costUsd: 0.707,
    recallAtQuarter: 0.834,
  },
  lossless: {
    loses: "nothing",
    chooseFor: "agents that see the same lines again and again; sessions that must lose nothing",
    tokensLeftPercent: 61.4,
    milliseconds: 37,
    modelCalls: 0,
    costUsd: 0,
    recallAtQuarter: 0.821,
  },
  truncation: {
    loses: "much",
    chooseFor: "the least time",
    tokensLeftPercent: 48.7,
    milliseconds: 14,
    modelCalls: 0,
    costUsd: 0,
    recallAtQuarter: 0.763,
  },
  smart: {
    loses: "little, as you choose",
    chooseFor: "almost everything: it keeps the most, and needs no model",
    tokensLeftPercent: 39.4,
    milliseconds: 124,
    modelCalls: 0,
    costUsd: 0,
    recallAtQuarter: 0.975,
  },
  sandwich: {
    loses: "medium",
    chooseFor: "talks, at 70 % of the window",
    tokensLeftPercent: 5.6,
    milliseconds: 114,
    modelCalls: 1,
    costUsd: 0.688,
    recallAtQuarter: 0.845,
  },
  "middle-out": {
    loses: "much",
    chooseFor: "a gateway with nothing configured",
    tokensLeftPercent: 50.0,
    milliseconds: 35,
    modelCalls: 0,
    costUsd: 0,
    recallAtQuarter: 0.794,
  },
  "sliding-window": {
    loses: "much",
    chooseFor: "sessions in which the past does not matter",
    tokensLeftPercent: 50.0,
    milliseconds: 34,
    modelCalls: 0,
    costUsd: 0,
    recallAtQuarter: 0.815,
  },
  "full-history": {
    loses: "nothing",
    chooseFor: "windows that are never full",
    tokensLeftPercent: 100.0,
    milliseconds: 3,
    modelCalls: 0,
    costUsd: 0,
  },
  "tree-summary": {
    loses: "medium",
    chooseFor: "conversations far over the summariser's own window",
    tokensLeftPercent: 34.9,
    milliseconds: 194,
    modelCalls: 19,
    costUsd: 0.929,
    recallAtQuarter: 0.851,
  },
};
