import type { AnatomyPart } from "@longhaul/condense/advanced";
import { table } from "@longhaul/conversation/values";
import { formatCount } from "@longhaul/models/format";
import { changedTerminal, type Terminal } from "./terminal.ts";

export type Style = Readonly<ReturnType<typeof styleOf>>;

/** Colours and the width of a table. */
export function styleOf({ hasColours, columns = Number.POSITIVE_INFINITY }: StyledOutput) {
  const paint = (open: number, close: number) => (text: string) =>
    hasColours ? `\u001b[${open}m${text}\u001b[${close}m` : text;
  return { bold: paint(1, 22), dim: paint(2, 22), good: paint(32, 39), bad: paint(33, 39), columns };
}

type StyledOutput = Pick<Terminal, "hasColours"> & Partial<Pick<Terminal, "columns">>;

/** Names the parts of a conversation. */
export const PART_NAMES: Readonly<Record<AnatomyPart, string>> = table({
  system: "system prompt",
  tools: "tools",
  user: "user text",
  assistant: "assistant text",
  thinking: "thinking",
  calls: "tool calls",
  results: "tool results",
  media: "media",
  other: "other",
});

/** Replaces the control characters of a text that another program chose, for one line of output: they could change the terminal. */
export function withoutControls(text: string): string {
  return text.replace(/\p{Cc}/gu, " ");
}

export function pluralize(count: number, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? "" : "s"}`;
}

export function formatPercent(share: number, digits = 0): string {
  return `${(100 * share).toFixed(digits)}%`;
}

export function formatDeviation(share: number): string {
  const percent = formatPercent(share, 1).replace(/^-(?=0\.0%)/, "");
  return share > 0 && percent !== "0.0%" ? `+${percent}` : percent;
}

/**
 * Returns a terminal that breaks long lines between words, where a terminal itself would break them inside a word; errors only, if the
 * output must stay as it is.
 */
export function wrapping(terminal: Terminal, { isVerbatim = false } = {}): Terminal {
  const { write, writeError, isInteractive } = terminal;
  return changedTerminal(terminal, {
    write: (text) => write(isVerbatim ? text : wrapText(text, terminal.columns)),
    writeError: (text) => writeError(isInteractive ? wrapText(text, terminal.errorColumns) : text),
  });
}

/** Breaks lines that are too wide between words, and indents the rest like the line. A word that is too long for a line stays whole. */
export function wrapText(text: string, columns: number): string {
  // A line that overwrites itself is a progress bar.
  if (!Number.isFinite(columns) || text.includes("\r")) return text;
  return text
    .split("\n")
    .map((line) => (visibleWidth(line) > columns ? wrapLine(line, columns) : line))
    .join("\n");
}

function wrapLine(line: string, columns: number): string {
  const [opening = ""] = /^ *(?:[✓•✗→] )?/u.exec(line.replaceAll(COLOURS, "")) ?? [];
  const indent = " ".repeat(opening.length);
  const lines: string[] = [];
  let current = "";
  // Columns stay apart: the spaces between two words are kept, unless the line ends there. Those at the end would take quadratic time.
  for (const [, spaces = "", word = ""] of line.trimEnd().matchAll(/(\s*)(\S+)/gu)) {
    const longer = `${current}${spaces}${word}`;
    if (current === "" || visibleWidth(longer) <= columns) current = longer;
    else {
      lines.push(current);
      current = `${indent}${word}`;
    }
  }
  return [...lines, current].join("\n");
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the escape character begins a colour.
const COLOURS = /\u001b\[\d+m/g;

function visibleWidth(line: string): number {
  return line.replaceAll(COLOURS, "").length;
}

export function printJson(object: object, { write }: Pick<Terminal, "write">): void {
  write(`${JSON.stringify(object, null, 2)}\n`);
}

/** Prints warnings to standard error, so that standard output can be parsed. */
export function printWarnings(
  warnings: readonly string[],
  terminal: Pick<Terminal, "hasColours" | "writeError">,
): void {
  const { bad } = styleOf(terminal);
  for (const warning of warnings) terminal.writeError(`${bad("warning:")} ${warning}\n`);
}

export interface Progress {
  /** Shows the current item; `done` is a share from 0 to 1. */
  show(done: number, what: string): void;
  end(): void;
}

const WIDTH = 24;
const SHOWN_CHARACTERS = 48;
const CLEAR = "\r\u001b[K";
/** Turns off line wrapping: a wrapped line could not be cleared. */
const cutOff = (line: string) => `\u001b[?7l${line}\u001b[?7h`;

/** Opens a progress bar. It writes nothing if standard error is not a terminal. */
export function openProgress({ isInteractive, writeError }: Pick<Terminal, "isInteractive" | "writeError">): Progress {
  if (!isInteractive) return { show: () => undefined, end: () => undefined };
  return {
    show: (done, what) => {
      const full = Math.round(WIDTH * Math.min(1, Math.max(0, done)));
      const name = what.length > SHOWN_CHARACTERS ? `…${what.slice(1 - SHOWN_CHARACTERS)}` : what;
      const percent = formatPercent(done).padStart(4);
      writeError(`${CLEAR}${cutOff(`${"█".repeat(full)}${"░".repeat(WIDTH - full)} ${percent} ${name}`)}`);
    },
    end: () => writeError(CLEAR),
  };
}
