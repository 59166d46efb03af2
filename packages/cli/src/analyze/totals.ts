import type { SessionAnalysis, StrategyResult } from "@longhaul/admin/replays";
import { sum } from "@longhaul/admin/replays";
import { type ANATOMY_PARTS, type AnatomyPart, sumRecalls } from "@longhaul/condense/advanced";

export interface Totals {
  readonly sessions: number;
  readonly messages: number;
  readonly calls: number;
  readonly sentTokens: number;
  /** Cost of the sessions with known prices; null if there are none. */
  readonly costUsd: number | null;
  readonly pricedSessions: number;
  /** Sums of the sessions that report usage: as reported, and as counted. */
  readonly reported: { readonly sessions: number; readonly tokens: number; readonly countedTokens: number };
  readonly parts: Readonly<Record<AnatomyPart, number>>;
  readonly strategies: readonly StrategyTotals[];
}

export type StrategyTotals = Omit<StrategyResult, "costUsd" | "curve" | "lost">;

export function totalsOf(sessions: readonly SessionAnalysis[]): Totals {
  const reported = sessions.flatMap(({ accuracy }) => accuracy ?? []);
  const priced = sessions.flatMap(({ costUsd }) => costUsd ?? []);
  return {
    sessions: sessions.length,
    messages: sum(sessions.map(({ messages }) => messages)),
    calls: sum(sessions.map(({ calls }) => calls)),
    sentTokens: sum(sessions.map(({ sentTokens }) => sentTokens)),
    costUsd: sumOrNull(priced),
    pricedSessions: priced.length,
    reported: {
      sessions: reported.length,
      tokens: sum(reported.map(({ reportedTokens }) => reportedTokens)),
      countedTokens: sum(reported.map(({ countedTokens }) => countedTokens)),
    },
    parts: sumParts(sessions),
    strategies: (sessions[0]?.strategies ?? []).map(({ strategy }) => strategyTotals(strategy, sessions)),
  };
}

function sumParts(sessions: readonly SessionAnalysis[]): Record<AnatomyPart, number> {
  const of = (part: AnatomyPart) => sum(sessions.map(({ anatomy }) => anatomy.parts[part]));
  return {
    system: of("system"),
    tools: of("tools"),
    user: of("user"),
    assistant: of("assistant"),
    thinking: of("thinking"),
    calls: of("calls"),
    results: of("results"),
    media: of("media"),
    other: of("other"),
  } satisfies Record<(typeof ANATOMY_PARTS)[number], number>;
}

function strategyTotals(strategy: string, sessions: readonly SessionAnalysis[]): StrategyTotals {
  const results = sessions.flatMap((session) => session.strategies.filter((result) => result.strategy === strategy));
  return {
    strategy,
    condensations: sum(results.map(({ condensations }) => condensations)),
    misfits: sum(results.map(({ misfits }) => misfits)),
    sentTokens: sum(results.map(({ sentTokens }) => sentTokens)),
    savedTokens: sum(results.map(({ savedTokens }) => savedTokens)),
    summaryCostUsd: sumOrNull(results.flatMap(({ summaryCostUsd }) => summaryCostUsd ?? [])),
    savedUsd: sumOrNull(results.flatMap(({ savedUsd }) => savedUsd ?? [])),
    recall: sumRecalls(results.map(({ recall }) => recall)),
  };
}

function sumOrNull(numbers: readonly number[]): number | null {
  return numbers.length === 0 ? null : sum(numbers);
}
