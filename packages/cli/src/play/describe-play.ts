import { STRATEGIES } from "@longhaul/condense";
import { formatCount, formatUsd } from "@longhaul/models/format";
import type { SessionSummary } from "@longhaul/store";
import { formatDeviation, formatPercent, pluralize, type Style } from "../terminal/output.ts";
import type { PlayedTurn } from "./ask-turn.ts";

export interface Played {
  readonly turns: readonly PlayedTurn[];
  readonly windowTokens: number;
  readonly refusals?: readonly string[];
  readonly summary?: SessionSummary | undefined;
}

type PlayFigures = ReturnType<typeof figuresOf>;

export function figuresOf({ turns, refusals = [], windowTokens, summary }: Played) {
  const sum = (figure: (turn: PlayedTurn) => number) => turns.reduce((total, turn) => total + figure(turn), 0);
  const sentTokens = sum((turn) => turn.sentTokens);
  const condensed = turns.map((turn, index) => isCondensed(turn, turns[index - 1]));
  const isAfter = (index: number) => condensed.lastIndexOf(true, index) >= 0;
  return {
    /** Turns that were answered, and that were rejected. */
    turns: turns.length,
    refused: refusals.length,
    windowTokens,
    /** The longest prompt received, and sent. */
    largestOriginalTokens: Math.max(0, ...turns.map((turn) => turn.originalTokens)),
    longestSent: Math.max(0, ...turns.map((turn) => turn.sentTokens)),
    /** Turns that would have overflowed the window. */
    overWindow: turns.filter((turn) => turn.originalTokens > windowTokens).length,
    /** The first of them, counted from 1; 0 if there is none. */
    firstOver: 1 + turns.findIndex((turn) => turn.originalTokens > windowTokens),
    /** Turns that only had references to repeated lines, before the first condensation. */
    deduplicated: turns.filter(({ origin }, index) => origin !== "" && !isAfter(index)).length,
    condensed: condensed.filter(Boolean).length,
    /** Turns that were sent with the result of an earlier condensation. */
    reused: turns.filter(({ origin }, index) => origin === "reused" && isAfter(index) && !condensed[index]).length,
    originalTokens: sum((turn) => turn.originalTokens),
    sentTokens,
    /** Share of the sent tokens that the vendor read from its cache. */
    cachedShare: sentTokens === 0 ? 0 : Math.min(1, sum((turn) => turn.cachedTokens) / sentTokens),
    ...(summary && {
      costUsd: summary.costUsd,
      savedUsd: summary.savedUsd,
      /** Without condensing, in an unlimited window. */
      untouchedUsd: summary.costUsd + summary.savedUsd,
    }),
  };
}

export function describePlay(figures: PlayFigures, { bold }: Style): string {
  const { turns, windowTokens, originalTokens, sentTokens } = figures;
  const saved = originalTokens === 0 ? 0 : 1 - sentTokens / originalTokens;
  const lines = [
    `The conversation grew to ${formatCount(figures.largestOriginalTokens)} tokens, in a window of ${formatCount(windowTokens)} tokens.`,
    `${describeOverflow(figures)}Largest prompt sent: ${formatCount(figures.longestSent)} tokens.`,
    `${describeMechanisms(figures)}.`,
    `Tokens: ${formatCount(originalTokens)} received, ${formatCount(sentTokens)} sent (${formatDeviation(-saved)}), ${formatPercent(figures.cachedShare)} of them from the vendor's prompt cache.`,
    ...moneyOf(figures),
  ];
  const answered =
    figures.refused === 0
      ? `${pluralize(turns, "turn")}, all answered.`
      : `${pluralize(turns, "turn")} answered, ${formatCount(figures.refused)} rejected.`;
  const hasFigures = turns > 0 || figures.refused === 0;
  return `${[bold(answered), ...(hasFigures ? lines : [])].join("\n")}\n`;
}

function describeOverflow({ overWindow, firstOver, turns, refused }: PlayFigures): string {
  if (overWindow > 0)
    return `Without Longhaul, the session would have ended at turn ${formatCount(firstOver)} of ${formatCount(turns)}. `;
  return refused > 0 ? "" : "It never outgrew the window. ";
}

function describeMechanisms({ deduplicated, condensed, reused }: PlayFigures): string {
  const first =
    deduplicated === 0 ? "" : `Repeated lines were sent as references in ${pluralize(deduplicated, "turn")}; `;
  const count = condensed === 1 ? "once" : `${formatCount(condensed)} times`;
  const then =
    condensed === 0 ? "not condensed" : `condensed ${count}, and ${pluralize(reused, "turn")} reused a result`;
  return first === "" ? `${then.charAt(0).toUpperCase()}${then.slice(1)}` : `${first}${then}`;
}

function moneyOf({ costUsd, untouchedUsd }: PlayFigures): string[] {
  if (costUsd === undefined || untouchedUsd === undefined) return [];
  const share = untouchedUsd === 0 ? "" : ` (${formatDeviation(costUsd / untouchedUsd - 1)})`;
  const raw = formatUsd(untouchedUsd);
  return [`Cost at list prices: ${formatUsd(costUsd)}${share}; without condensing, in an unlimited window: ${raw}.`];
}

export interface TurnContext {
  /** Counted from 1. */
  readonly number: number;
  readonly what: string;
  readonly windowTokens: number;
  readonly before?: PlayedTurn | undefined;
  /** Whether an earlier turn was condensed. */
  readonly isAfterCondensation?: boolean;
}

const LEGEND = "      █ sent, ▒ saved, › larger than the context window";

/** Widths of the columns that depend on the terminal. */
interface TurnLayout {
  readonly step: number;
  readonly bar: number;
  /** Whether there is room for the saved tokens. */
  readonly isWide: boolean;
}

const WIDE: TurnLayout = { step: 34, bar: 20, isWide: true };
/** Columns of a line with all of its parts, and of its other parts in a shorter one. */
const WIDE_COLUMNS = 128;
const OTHER_COLUMNS = 48;
const SHORT_BAR = 12;

function layoutOf({ columns }: Style): TurnLayout {
  if (columns >= WIDE_COLUMNS) return WIDE;
  const room = columns - OTHER_COLUMNS;
  const bar = room >= 2 * WIDE.bar ? WIDE.bar : SHORT_BAR;
  return { step: Math.min(WIDE.step, Math.max(SHORT_BAR, room - bar)), bar, isWide: false };
}

export function turnHead(style: Style): string {
  const { step } = layoutOf(style);
  const columns = `Turn  ${"Step".padEnd(step)} ${"Received".padStart(9)} ${"Sent".padStart(9)}  Window`;
  return `${style.bold(columns)}\n${style.dim(LEGEND)}\n`;
}

export function turnLine(turn: PlayedTurn, context: TurnContext, style: Style): string {
  const { number, what, windowTokens } = context;
  const layout = layoutOf(style);
  const share = turn.sentTokens / windowTokens;
  const columns = [
    String(number).padStart(4),
    ` ${shorten(what, layout.step).padEnd(layout.step)}`,
    formatCount(turn.originalTokens).padStart(9),
    formatCount(turn.sentTokens).padStart(9),
    ` ${bar(turn, { cells: layout.bar, windowTokens }, style)}`,
    formatPercent(share).padStart(4),
  ];
  return `${columns.join(" ")}${note(turn, context, style)}\n`;
}

function shorten(what: string, width: number): string {
  return what.length > width ? `${what.slice(0, width - 1)}…` : what;
}

/** Draws sent tokens full and saved tokens light; `›` marks a conversation that exceeds the window. */
function bar(
  { originalTokens, sentTokens }: PlayedTurn,
  { cells, windowTokens }: { readonly cells: number; readonly windowTokens: number },
  { good, dim }: Style,
): string {
  const cellsOf = (tokens: number) => Math.min(cells, Math.round((cells * tokens) / windowTokens));
  const sent = cellsOf(sentTokens);
  const received = Math.max(sent, cellsOf(originalTokens));
  const end = originalTokens > windowTokens ? "›" : "│";
  return `${good("█".repeat(sent))}${dim("▒".repeat(received - sent))}${" ".repeat(cells - received)}${end}`;
}

function note(turn: PlayedTurn, { before, isAfterCondensation = false }: TurnContext, style: Style): string {
  const { bold, dim } = style;
  const saved = turn.originalTokens - turn.sentTokens;
  if (turn.origin === "" || saved <= 0) return "";
  const { isWide } = layoutOf(style);
  const less = isWide ? `, -${formatCount(saved)} tokens` : "";
  if (isCondensed(turn, before)) return `  ${bold(`condensed${isWide ? ` with ${turn.strategy}` : ""}`)}${less}`;
  return `  ${dim(`${isAfterCondensation ? "reused" : "deduplicated"}${less}`)}`;
}

/** Returns whether any of these turns was condensed. */
export function hasCondensed(turns: readonly PlayedTurn[]): boolean {
  return turns.some((turn, index) => isCondensed(turn, turns[index - 1]));
}

/** A reused form is smaller than this share of the previous turn only after a condensation. */
const SHRUNK = 0.9;

/**
 * Returns whether a turn is the first one after a condensation. Its origin alone does not show it: a later request uses a summary that was
 * written in the background, and references need no condensation.
 */
export function isCondensed(
  { origin, strategy, sentTokens, originalTokens }: PlayedTurn,
  before: PlayedTurn | undefined,
): boolean {
  const beforeTokens = before?.sentTokens ?? originalTokens;
  // References change only new messages, so they never make a turn smaller than the previous one.
  const refers = STRATEGIES.some(({ id, refersEarly }) => id === strategy && refersEarly === true);
  if (origin === "new") return !refers || sentTokens < beforeTokens;
  return origin === "reused" && sentTokens < SHRUNK * beforeTokens;
}
