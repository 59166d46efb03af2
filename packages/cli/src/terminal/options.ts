import { table } from "@longhaul/conversation/values";
import { type Command, InvalidArgumentError, Option } from "commander";
import { wrapText } from "./output.ts";

/** The built-in strategies. A list of its own, because the registry would load the whole engine for every command; a test compares the two. */
export const STRATEGY_IDS: readonly string[] = [
  ...["native", "lossless", "truncation", "smart", "sandwich"],
  ...["middle-out", "sliding-window", "sliding-truncation", "full-history", "tree-summary"],
];

/** Model for clients that need one in their settings. */
export const DEFAULT_MODEL = "claude-sonnet-4-5";

/** The gateway's default; a test compares it with the settings. */
export const DEFAULT_STRATEGY = "smart";

export function strategyOption(about: string): Option {
  return new Option("--strategy <id>", about).choices(STRATEGY_IDS);
}

export const USAGE_GROUPS = [
  "day",
  "week",
  "month",
  "block",
  "project",
  "session",
  "client",
  "model",
  "key",
  "strategy",
  "upstream",
] as const;

/** The values of `usage --period`, in UTC days that include today. */
export const USAGE_PERIODS = table({ today: 1, week: 7, month: 30 } as const);

/** The values of `sessions --sort`. */
export const SESSION_SORT_NAMES = ["last", "started", "cost", "saved", "turns"] as const;

/** Parses a day or a time, for example `2026-11-01` or `2026-11-01T14:30`, in UTC unless it names a zone. */
export function argumentTime(text: string): number {
  const isZoned = /(?:Z|[+-]\d\d:\d\d)$/.test(text);
  const ms = Date.parse(isZoned || !text.includes("T") ? text : `${text}Z`);
  if (!Number.isNaN(ms)) return ms;
  throw new InvalidArgumentError("Expected a day or a time, for example 2026-11-01 or 2026-11-01T14:30.");
}

export const DEFAULT_CONFIG = "configuration file (default: the one that `longhaul start` uses)";

export function withConfig(command: Command): Command {
  return command
    .option("--config <file>", DEFAULT_CONFIG)
    .option("--store <file>", "database file (default: the one that `longhaul start` uses)");
}

export function withAddress(command: Command): Command {
  return command
    .option("--host <host>", "address that the gateway listens on (default: from the configuration)")
    .option("--port <port>", "port that the gateway listens on (default: $PORT, then the configuration)", argumentPort);
}

const MAX_PORT = 65_535;

export function argumentPort(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) <= MAX_PORT) return Number(text);
  throw new InvalidArgumentError(`Expected a port number from 0 to ${MAX_PORT}.`);
}

/** Returns a parser of whole numbers that are not below `least`. */
export function argumentCount(least: number): (text: string) => number {
  return (text) => {
    const count = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    if (count >= least && Number.isSafeInteger(count)) return count;
    throw new InvalidArgumentError(`Expected a whole number, ${least} or more.`);
  };
}

/** Parses a number of tokens, for example `50000`, `50k` or `1m`. */
export function argumentTokens(text: string): number {
  const [, digits = "", unit = ""] = /^(\d+(?:\.\d+)?)([km]?)$/i.exec(text) ?? [];
  const tokens = Number(digits) * (UNITS[unit.toLowerCase()] ?? 1);
  if (digits !== "" && Number.isSafeInteger(tokens) && tokens > 0) return tokens;
  throw new InvalidArgumentError("Expected a number of tokens, for example 50000, 50k or 1m.");
}

/** A number of tokens, or a share of a conversation's tokens. */
export type TokenBudget = { readonly tokens: number } | { readonly share: number };

/** Parses a number of tokens or a percentage, for example `25%`. */
export function argumentBudget(text: string): TokenBudget {
  const [, percent = ""] = /^(\d+(?:\.\d+)?)%$/.exec(text) ?? [];
  if (percent === "") return { tokens: argumentTokens(text) };
  const share = Number(percent) / 100;
  if (share > 0 && share <= 1) return { share };
  throw new InvalidArgumentError("Expected a percentage of the conversation up to 100%, for example 25%.");
}

const UNITS: Readonly<Record<string, number>> = table({ k: 1_000, m: 1_000_000 });

const DAY_MS = 24 * 60 * 60 * 1_000;

/** Parses a date in UTC, for example `2026-11-18` or `20261118`. Returns its first millisecond. */
export function argumentDate(text: string): number {
  const [, year, month, day] = /^(\d{4})-?(\d{2})-?(\d{2})$/.exec(text) ?? [];
  const iso = `${year}-${month}-${day}`;
  const atMs = Date.parse(iso);
  // Date.parse accepts February 30 in some forms.
  if (Number.isFinite(atMs) && new Date(atMs).toISOString().startsWith(iso)) return atMs;
  throw new InvalidArgumentError("Expected a date, for example 2026-11-18.");
}

/** Parses the last day of a period. Returns the first millisecond after it. */
export function argumentLastDate(text: string): number {
  return argumentDate(text) + DAY_MS;
}

/** Parses a limit of an API key; `none` removes it. */
export function argumentLimit(text: string): number | "none" {
  if (text === "none") return text;
  const limit = Number(text);
  if (text.trim() !== "" && Number.isFinite(limit) && limit >= 0) return limit;
  throw new InvalidArgumentError('Expected a number, or "none" for no limit.');
}

/** Parses the models that an API key may use; `all` means no restriction. */
export function argumentModels(text: string): readonly string[] {
  if (text.trim() === "all") return [];
  const models = text.split(",").map((name) => name.trim());
  if (models.every((name) => name !== "")) return models;
  throw new InvalidArgumentError('Expected model names separated by commas, or "all".');
}

/** Returns the end of a command's help: a note, broken to the help's width, and example commands. */
export function examples(lines: readonly string[], note?: string): HelpText {
  const list = ["", "Examples:", ...lines.map((line) => `  longhaul ${line}`)].join("\n");
  return note === undefined ? () => list : (context) => `${helpNote(note)(context)}\n${list}`;
}

export function helpNote(note: string): HelpText {
  return ({ command }) => `\n${wrapText(note, command.configureOutput().getOutHelpWidth?.() ?? DEFAULT_HELP_WIDTH)}`;
}

const DEFAULT_HELP_WIDTH = 80;

type HelpText = (context: { readonly command: Command }) => string;
