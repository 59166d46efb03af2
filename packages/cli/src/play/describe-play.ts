import { STRATEGIES } from "@longhaul/condense";
import { formatCount, formatUsd } from "@longhaul/models/format";
import type { SessionSummary } from "@longhaul/store";
import { formatPercent, pluralize, type Style } from "../terminal/output.ts";
import type { Turn } from "./ask-turn.ts";

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
    condensed: turns.filter((turn, index) => isCondensed(turn, turns[index - 1])).length,
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
    `${pluralize(overWindow, "turn")} would not have fitted as ${overWindow === 1 ? "it" : "they"} came; the longest that was sent had ${formatCount(figures.longestSent)}.`,
    `Condensed ${times(condensed)}, reused in ${pluralize(reused, "turn")}: ${formatCount(cameTokens)} tokens came, ${formatCount(sentTokens)} were sent (${formatPercent(-saved)}), ${formatPercent(figures.cachedShare)} of them from the vendor's cache.`,
    ...moneyOf(figures),
  ];
  const answered =
    figures.refused === 0
      ? `${pluralize(turns, "turn")}, all of them answered.`
      : `${pluralize(turns, "turn")} answered, ${formatCount(figures.refused)} refused.`;
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

/** What a line says besides the turn itself. */
export interface TurnContext {
  /** Counted from 1. */
  readonly number: number;
  readonly what: string;
  readonly windowTokens: number;
  /** The turn before. */
  readonly before?: Turn | undefined;
}

const WHAT_CHARACTERS = 34;
const BAR_CELLS = 20;

/** The heads of the columns of turns' lines. */
export function turnHead({ bold }: Style): string {
  const columns = `${"turn".padStart(4)}  ${"what happens".padEnd(WHAT_CHARACTERS)} ${"came".padStart(9)} ${"sent".padStart(9)}  window`;
  return `${bold(columns)}\n`;
}

/** A turn in one line: what came, what was sent, how full the window is, and what made it fit. */
export function turnLine(turn: Turn, context: TurnContext, style: Style): string {
  const { number, what, windowTokens, before } = context;
  const share = turn.sentTokens / windowTokens;
  const columns = [
    String(number).padStart(4),
    ` ${shorten(what).padEnd(WHAT_CHARACTERS)}`,
    formatCount(turn.cameTokens).padStart(9),
    formatCount(turn.sentTokens).padStart(9),
    ` ${bar(turn, windowTokens, style)}`,
    formatPercent(share).padStart(5),
  ];
  return `${columns.join(" ")}${note(turn, before, style)}\n`;
}

function shorten(what: string): string {
  return what.length > WHAT_CHARACTERS ? `${what.slice(0, WHAT_CHARACTERS - 1)}…` : what;
}

/** What is sent is full, what no longer has to be is light; a conversation over its window reaches over the end. */
function bar({ cameTokens, sentTokens }: Turn, windowTokens: number, { good, dim }: Style): string {
  const cells = (tokens: number) => Math.min(BAR_CELLS, Math.round((BAR_CELLS * tokens) / windowTokens));
  const sent = cells(sentTokens);
  const came = Math.max(sent, cells(cameTokens));
  const end = cameTokens > windowTokens ? "›" : "│";
  return `${good("█".repeat(sent))}${dim("▒".repeat(came - sent))}${" ".repeat(BAR_CELLS - came)}${end}`;
}

function note(turn: Turn, before: Turn | undefined, { bold, dim }: Style): string {
  const saved = turn.cameTokens - turn.sentTokens;
  if (turn.origin === "" || saved <= 0) return "";
  const less = `-${formatCount(saved)} tokens`;
  if (isCondensed(turn, before)) return `  ${bold(`condensed by ${turn.strategy}`)}, ${less}`;
  return `  ${dim(turn.origin === "new" ? `repeats referred to, ${less}` : `reused, ${less}`)}`;
}

/** What is used again becomes smaller than this share of the turn before only where a condensation has come to it. */
const SHRUNK = 0.9;

/**
 * Whether a turn is the first that a condensation made smaller. Its origin alone does not tell: a summary that was written in the background
 * is used by a later request than the one it was begun for, and references are made without any condensation.
 */
export function isCondensed({ origin, strategy, sentTokens, cameTokens }: Turn, before: Turn | undefined): boolean {
  const beforeTokens = before?.sentTokens ?? cameTokens;
  // References touch only what is new in a turn, which is never smaller for them than the turn before.
  const refers = STRATEGIES.some(({ id, refersEarly }) => id === strategy && refersEarly === true);
  if (origin === "new") return !refers || sentTokens < beforeTokens;
  return origin === "reused" && sentTokens < SHRUNK * beforeTokens;
}
