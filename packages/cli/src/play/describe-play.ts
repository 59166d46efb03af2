import { formatCount, formatUsd } from "@longhaul/models/format";
import type { SessionSummary } from "@longhaul/store";
import { type Style, spellMany, spellPercent } from "../terminal/style.ts";
import type { Turn } from "./ask-turn.ts";
import { shrinks } from "./shrinks.ts";

/** A session that was played. */
export interface Played {
  readonly turns: readonly Turn[];
  readonly windowTokens: number;
  /** Why turns were refused. */
  readonly refusals?: readonly string[];
  /** What the gateway kept of it. */
  readonly kept?: SessionSummary | undefined;
}

/** The figures of a session that was played. */
export interface PlayFigures {
  /** Turns that were answered, and that were not. */
  readonly turns: number;
  readonly refused: number;
  readonly windowTokens: number;
  /** The longest prompt as it came, and as it was sent. */
  readonly longestCame: number;
  readonly longestSent: number;
  /** Turns that would not have fitted as they came. */
  readonly overWindow: number;
  readonly condensed: number;
  readonly reused: number;
  readonly cameTokens: number;
  readonly sentTokens: number;
  /** Of what was sent. */
  readonly cachedShare: number;
  readonly costUsd?: number;
  readonly savedUsd?: number;
}

/** Sums up a session that was played. */
export function figuresOf({ turns, refusals = [], windowTokens, kept }: Played): PlayFigures {
  const sum = (figure: (turn: Turn) => number) => turns.reduce((total, turn) => total + figure(turn), 0);
  const sentTokens = sum((turn) => turn.sentTokens);
  return {
    turns: turns.length,
    refused: refusals.length,
    windowTokens,
    longestCame: Math.max(0, ...turns.map((turn) => turn.cameTokens)),
    longestSent: Math.max(0, ...turns.map((turn) => turn.sentTokens)),
    overWindow: turns.filter((turn) => turn.cameTokens > windowTokens).length,
    condensed: turns.filter((turn, index) => shrinks(turn, turns[index - 1])).length,
    reused: turns.filter(({ origin }) => origin === "reused").length,
    cameTokens: sum((turn) => turn.cameTokens),
    sentTokens,
    cachedShare: sentTokens === 0 ? 0 : Math.min(1, sum((turn) => turn.cachedTokens) / sentTokens),
    ...(kept && { costUsd: kept.costUsd, savedUsd: kept.savedUsd }),
  };
}

/** The figures for people. */
export function describePlay(figures: PlayFigures, { bold }: Style): string {
  const { turns, windowTokens, overWindow, condensed, reused, cameTokens, sentTokens } = figures;
  const saved = cameTokens === 0 ? 0 : 1 - sentTokens / cameTokens;
  const lines = [
    `The conversation grew to ${formatCount(figures.longestCame)} tokens; the window has ${formatCount(windowTokens)}.`,
    `${spellMany(overWindow, "turn")} would not have fitted as ${overWindow === 1 ? "it" : "they"} came; the longest that was sent had ${formatCount(figures.longestSent)}.`,
    `Condensed ${times(condensed)}, reused in ${spellMany(reused, "turn")}: ${formatCount(cameTokens)} tokens came, ${formatCount(sentTokens)} were sent (${spellPercent(-saved)}), ${spellPercent(figures.cachedShare)} of them from the vendor's cache.`,
    ...moneyOf(figures),
  ];
  const answered =
    figures.refused === 0
      ? `${spellMany(turns, "turn")}, all of them answered.`
      : `${spellMany(turns, "turn")} answered, ${formatCount(figures.refused)} refused.`;
  return `${bold(answered)}\n${lines.join("\n")}\n`;
}

function times(count: number): string {
  return count === 1 ? "once" : `${formatCount(count)} times`;
}

/** What it would have cost as it came is what nobody could have paid for: the window does not hold it. */
function moneyOf({ costUsd, savedUsd }: PlayFigures): string[] {
  if (costUsd === undefined || savedUsd === undefined) return [];
  const raw = formatUsd(costUsd + savedUsd);
  return [
    `Cost at the catalog's prices: ${formatUsd(costUsd)}; as it came, in a window that would have held it, ${raw}.`,
  ];
}
