import { STRATEGIES } from "@longhaul/condense";
import { table } from "@longhaul/conversation";
import type { KeyLimits } from "@longhaul/store";
import { type Command, InvalidArgumentError, Option } from "commander";

/** What strategies are called. */
export const STRATEGY_IDS: readonly string[] = STRATEGIES.map(({ id }) => id);

/** The option that chooses one of them. */
export function strategyOption(about: string): Option {
  return new Option("--strategy <id>", about).choices(STRATEGY_IDS);
}

/** What usage can be told by. */
export const USAGE_GROUPS = ["model", "key", "strategy", "upstream"] as const;

/** Spans that usage is told for: days of UTC, today among them. */
export const USAGE_PERIODS = table({ today: 1, week: 7, month: 30 } as const);

const STORE = "the store (default: the one that start would take)";

/** Adds where a command finds the store. */
export function withStore(command: Command): Command {
  return command
    .option("--config <file>", "configuration that says where the store is (default: the one that start would take)")
    .option("--store <file>", STORE);
}

/** Adds where a command finds the configuration that it looks at, and what may be stored over it. */
export function withConfig(command: Command): Command {
  return command
    .option("--config <file>", "configuration (default: the one that start would take)")
    .option("--store <file>", STORE);
}

/** Adds the address of a gateway, as far as it is not the configuration's. */
export function withAddress(command: Command): Command {
  return command
    .option("--host <host>", "address that the gateway listens on (default: the configuration's)")
    .option("--port <port>", "port that it listens on (default: PORT, the configuration's)", argumentPort);
}

const MAX_PORT = 65_535;

/** The port that an argument names; anything else is a wrong call. */
export function argumentPort(text: string): number {
  const port = parsePort(text);
  if (port === undefined)
    throw new InvalidArgumentError(`"${text}" is not a port; give a whole number from 0 to ${MAX_PORT}`);
  return port;
}

function parsePort(text: string): number | undefined {
  return /^\d{1,5}$/.test(text) && Number(text) <= MAX_PORT ? Number(text) : undefined;
}

/** Reads the whole number that an argument names, if it is not below the least; anything else is a wrong call. */
export function argumentCount(least: number): (text: string) => number {
  return (text) => {
    const count = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    if (count >= least && Number.isSafeInteger(count)) return count;
    throw new InvalidArgumentError(`"${text}" is no count; give a whole number from ${least} on.`);
  };
}

/** The tokens that an argument names, such as `50000`, `50k` or `1m`; anything else is a wrong call. */
export function argumentTokens(text: string): number {
  const [, digits = "", unit = ""] = /^(\d+(?:\.\d+)?)([km]?)$/i.exec(text) ?? [];
  const tokens = Number(digits) * (UNITS[unit.toLowerCase()] ?? 1);
  if (digits !== "" && Number.isSafeInteger(tokens) && tokens > 0) return tokens;
  throw new InvalidArgumentError(`"${text}" is no number of tokens; give one such as 50000, 50k or 1m.`);
}

const UNITS: Readonly<Record<string, number>> = table({ k: 1_000, m: 1_000_000 });

/** What the flags say of a key's limits; `none` lifts one. */
export type LimitFlags = { readonly [Name in keyof KeyLimits]?: number | "none" };

/** The limit that an argument names; anything else is a wrong call. */
export function argumentLimit(text: string): number | "none" {
  if (text === "none") return text;
  const limit = Number(text);
  if (text.trim() !== "" && Number.isFinite(limit) && limit >= 0) return limit;
  throw new InvalidArgumentError(`"${text}" is no limit; give a number, or none.`);
}

const NAMES = ["requestsPerMinute", "concurrent", "usdPerDay", "usdPerMonth"] as const;

/** A key's limits once the flags are heeded. */
export function limitsAfter(flags: LimitFlags, before: KeyLimits): KeyLimits {
  const entries = NAMES.map((name) => [name, flags[name] ?? before[name] ?? "none"] as const);
  return Object.fromEntries(entries.filter(([, limit]) => limit !== "none"));
}
