import { formatCount } from "@longhaul/models/format";
import { type Style, spellPercent } from "../terminal/style.ts";
import type { Turn } from "./ask-turn.ts";
import { shrinks } from "./shrinks.ts";

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
    spellPercent(share).padStart(5),
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
  if (shrinks(turn, before)) return `  ${bold(`condensed by ${turn.strategy}`)}, ${less}`;
  return `  ${dim(turn.origin === "new" ? `repeats referred to, ${less}` : `reused, ${less}`)}`;
}
