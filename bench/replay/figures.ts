import type { RecordedRequest, Simulator, Totals } from "@longhaul/simulator";

/** What the client and whoever reads along with it see. */
interface Observed {
  /** How many turns the client took, and how many of them were answered. */
  readonly turns: number;
  readonly answered: number;
  /** Errors that the client saw because of the window, and others. */
  readonly overflows: number;
  readonly otherErrors: number;
  /** What the errors said, each kind once. */
  readonly problems: readonly string[];
  /** Tool calls and results that reached the upstream without each other. */
  readonly orphans: number;
  /** How often the gateway says that it condensed the conversation. */
  readonly condensations: number;
  /** Turns on which the upstream was told another beginning than on the turn before. */
  readonly rewrites: readonly number[];
  /** What was told before such turns and is not the beginning of what was told then, in bytes. */
  readonly changedBytes: number;
  /** How much longer the first byte takes than straight from the upstream. */
  readonly addedMs: number;
}

/** What playing a session came to. */
export interface Figures extends Observed {
  /** Calls of a model that the gateway made by itself, and compactions that the vendor made. */
  readonly summaries: number;
  /** Requests of the client's turns that the upstream refused. */
  readonly refusals: number;
  /** What share of the prompts of turns was read from the vendor's cache. */
  readonly cacheReadShare: number;
  /** Everything that the vendor billed, summaries included. */
  readonly upstreamTokens: number;
  readonly costUsd: number;
  /** What the last prompt that was taken came to, by the vendor's count. */
  readonly lastPromptTokens: number;
}

/** What the simulator's own books say. */
export function bookedFigures(
  simulator: Simulator,
  isTurn: (number: number) => boolean,
): Omit<Figures, keyof Observed> {
  const requests = simulator.requests();
  const taken = requests.filter(({ rejected }) => rejected === undefined);
  const turns = taken.filter(({ number }) => isTurn(number));
  const prompt = turns.reduce((total, request) => total + promptTokens(request), 0);
  const read = turns.reduce((total, { cacheReadTokens }) => total + cacheReadTokens, 0);
  const totals = simulator.totals();
  const last = turns.at(-1);
  return {
    summaries: taken.length - turns.length + turns.reduce((total, { compactions }) => total + compactions, 0),
    refusals: requests.length - taken.length,
    cacheReadShare: prompt === 0 ? 0 : read / prompt,
    upstreamTokens: promptTokens(totals) + totals.outputTokens,
    costUsd: totals.costUsd,
    lastPromptTokens: last === undefined ? 0 : promptTokens(last),
  };
}

function promptTokens({
  inputTokens,
  cacheReadTokens,
  cacheWriteTokens,
  cacheWriteHourTokens,
}: Totals | RecordedRequest) {
  return inputTokens + cacheReadTokens + cacheWriteTokens + cacheWriteHourTokens;
}
