import { table } from "@longhaul/conversation/advanced";
import { formatCount, formatUsd } from "@longhaul/models/format";
import { BUILT_IN_KIND } from "@longhaul/models/kinds";
import type { Span, Store, Totals } from "@longhaul/store";
import { type ConfigFlags, configuredStore, readStore } from "../config/config-source.ts";
import { USAGE_PERIODS } from "../terminal/options.ts";
import { pluralize, printJson, type Style, styleOf } from "../terminal/output.ts";
import { formatTable } from "../terminal/table.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { allTokens, blocksOf, type UsageBlock } from "./usage-blocks.ts";
import { DAY_MS, eventsIn, groupedUsage, sumUp, type UsageGroup, type UsageRow } from "./usage-rows.ts";

export interface UsageFlags extends ConfigFlags {
  readonly by: UsageGroup;
  readonly period: keyof typeof USAGE_PERIODS;
  /** First millisecond; replaces the period. */
  readonly since?: number;
  /** The millisecond after the last one. */
  readonly until?: number;
  readonly json?: true;
  readonly csv?: true;
}

/** Prints usage and savings: of today, the last 7 and the last 30 days, and of one period by group. */
export async function usage(flags: UsageFlags, terminal: Terminal): Promise<void> {
  const result = await readStore(configuredStore(flags, terminal), (store) => readUsage(store, flags));
  const used = "read" in result ? result.read : nothingUsed(flags);
  if (flags.json === true) printJson(used, terminal);
  else if (flags.csv === true) terminal.write(formatCsv(used.groups));
  else if ("read" in result) terminal.write(describeUsage(used, flags, styleOf(terminal)));
  else
    terminal.write(
      `No usage yet: the database ${result.missing} does not exist. Connect a client and start the gateway with \`longhaul setup\`.\n`,
    );
}

interface Usage extends Span {
  readonly periods: readonly UsageRow[];
  readonly groups: readonly UsageRow[];
  readonly total: UsageRow;
  /** Requests that the built-in simulator answered, for nothing. */
  readonly simulatedRequests: number;
}

function nothingUsed(flags: UsageFlags): Usage {
  const periods = Object.keys(USAGE_PERIODS).map((name) => sumUp(name, []));
  return { ...spanOf(flags), periods, groups: [], total: sumUp("Total", []), simulatedRequests: 0 };
}

async function readUsage(store: Store, flags: UsageFlags): Promise<Usage> {
  const span = spanOf(flags);
  const totalsOf = (of: Span) => store.events.totals({ ...of, bucket: "day" });
  const periods = Object.entries(USAGE_PERIODS).map(async ([name, days]) =>
    sumUp(name, await totalsOf(lastDays(days))),
  );
  return {
    ...span,
    periods: await Promise.all(periods),
    groups:
      flags.by === "block"
        ? blocksOf(await eventsIn(store, span), Date.now())
        : await groupedUsage(store, flags.by, span),
    total: sumUp("Total", await totalsOf(span)),
    simulatedRequests: simulatedIn(await store.events.totals({ ...span, bucket: "day", by: "upstream" })),
  };
}

/** The simulator of a configuration file has list prices, and is not counted. */
function simulatedIn(totals: readonly Totals[]): number {
  const { requests, costUsd } = sumUp(
    "",
    totals.filter(({ group }) => group === BUILT_IN_KIND),
  );
  return costUsd === 0 ? requests : 0;
}

function spanOf({ period, since, until }: UsageFlags): Span {
  const { sinceMs, untilMs } = lastDays(USAGE_PERIODS[period]);
  return { sinceMs: since ?? (until === undefined ? sinceMs : 0), untilMs: until ?? untilMs };
}

/** Returns the span of this many days in UTC, today included. */
function lastDays(days: number): Span {
  const untilMs = Date.now() + 1;
  return { sinceMs: (Math.floor(untilMs / DAY_MS) - days + 1) * DAY_MS, untilMs };
}

const NAMES: Readonly<Record<string, string>> = table({ today: "Today", week: "Last 7 days", month: "Last 30 days" });
const HEAD = ["Requests", "Errors", "Input", "Cache write", "Cache read", "Output", "Cost", "Net savings"];
const EXPLANATION =
  "Columns from Input to Output are tokens. Days are UTC. Costs use list prices and include summaries; savings are net of them.\n";

function describeUsage({ periods, groups, total, simulatedRequests }: Usage, flags: UsageFlags, style: Style): string {
  const { by, period, since, until } = flags;
  const hasSpan = since !== undefined || until !== undefined;
  const named = periods.map((row) => ({ ...row, name: NAMES[row.name] ?? row.name }));
  const whole = hasSpan ? [] : [formatTable([["", ...HEAD], ...named.map(cells)], style)];
  const title = hasSpan ? `By ${by}` : `${NAMES[period]}, by ${by}`;
  const rows = [[title, ...HEAD], ...groups.map(cells), ...(groups.length > 1 ? [cells(total)] : [])];
  const parts = groups.length === 0 ? [] : [formatTable(rows, style)];
  const simulated =
    simulatedRequests === 0 ? [] : [`${pluralize(simulatedRequests, "simulated request")}, which cost nothing.\n`];
  return [...whole, ...parts, ...burnLines(groups), ...mechanismLines(total), ...simulated, EXPLANATION].join("\n");
}

/** Says which mechanism saved how much in the period of the details. */
function mechanismLines({ requests, deduplicatedUsd, condensedUsd, condensingUsd, cachedUsd }: UsageRow): string[] {
  if (requests === 0 || [deduplicatedUsd, condensedUsd, condensingUsd, cachedUsd].every((usd) => usd === 0)) return [];
  const net = [
    `deduplication ${formatUsd(deduplicatedUsd)}`,
    `condensing ${formatUsd(condensedUsd)}`,
    `summaries ${formatUsd(-condensingUsd)}`,
  ];
  const cache =
    cachedUsd < 0
      ? `The prompt cache cost ${formatUsd(-cachedUsd)} more than uncached prices: more was written than read so far.`
      : `The prompt cache saved another ${formatUsd(cachedUsd)}, compared with uncached prices.`;
  return [`Net savings: ${net.join(", ")}.\n${cache}\n`];
}

function cells(row: UsageRow): string[] {
  const { inputTokens, cacheWriteTokens, cacheReadTokens, outputTokens } = row;
  const counts = [row.requests, row.errors, inputTokens, cacheWriteTokens, cacheReadTokens, outputTokens];
  return [row.name, ...counts.map(formatCount), formatUsd(row.costUsd), formatUsd(row.savedUsd)];
}

/** Describes the block that is active now. */
function burnLines(groups: readonly (UsageRow | UsageBlock)[]): string[] {
  const [active] = groups;
  if (active === undefined || !("burnRate" in active) || !active.isActive) return [];
  const { burnRate, projected, untilMs } = active;
  const left = `Active block: ${formatCount(allTokens(active))} tokens, ${formatMinutes(untilMs - Date.now())} left`;
  if (burnRate === null || projected === null) return [`${left}.\n`];
  const rate = `${formatCount(burnRate.tokensPerMinute)} tokens per minute, ${formatUsd(burnRate.usdPerHour, 2)} per hour`;
  const end = `${formatCount(projected.tokens)} tokens, ${formatUsd(projected.costUsd, 2)}`;
  return [`${left}.\nBurn rate: ${rate}; at the end of the block: ${end}.\n`];
}

function formatMinutes(ms: number): string {
  const minutes = Math.max(0, Math.round(ms / 60_000));
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

const CSV_COLUMNS = [
  "name",
  "requests",
  "errors",
  "inputTokens",
  "cacheWriteTokens",
  "cacheReadTokens",
  "outputTokens",
  "savedTokens",
  "costUsd",
  "savedUsd",
] as const;

function formatCsv(rows: readonly UsageRow[]): string {
  const lines = rows.map((row) => CSV_COLUMNS.map((name) => csvCell(row[name])).join(","));
  return `${[CSV_COLUMNS.join(","), ...lines].join("\r\n")}\r\n`;
}

/** Quotes a text. Spreadsheets would run one that begins like a formula. */
function csvCell(value: string | number): string {
  if (typeof value === "number") return String(value);
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
