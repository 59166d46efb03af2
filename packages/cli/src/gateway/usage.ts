import { table } from "@longhaul/conversation";
import { formatCount, formatUsd } from "@longhaul/models/format";
import type { Store, Totals } from "@longhaul/store";
import { type ConfigFlags, configuredStore, readStore } from "../config/config-source.ts";
import { type USAGE_GROUPS, USAGE_PERIODS } from "../terminal/options.ts";
import { formatTable, printJson, styleOf } from "../terminal/output.ts";
import type { Terminal } from "../terminal/terminal.ts";

export interface UsageFlags extends ConfigFlags {
  readonly by: (typeof USAGE_GROUPS)[number];
  readonly period: keyof typeof USAGE_PERIODS;
  readonly json?: true;
}

/** Prints usage and savings for today, the last 7 days and the last 30 days, and one of these periods by group. */
export async function usage(flags: UsageFlags, terminal: Terminal): Promise<void> {
  const result = await readStore(configuredStore(flags, terminal), (store) => readUsage(store, flags));
  if (flags.json === true) printJson("read" in result ? result.read : nothingUsed(), terminal);
  else if ("read" in result) terminal.write(describeUsage(result.read, flags, terminal));
  else
    terminal.write(
      `No usage yet: there is no database at ${result.missing}. Start the gateway with \`longhaul start\`.\n`,
    );
}

type UsageRow = ReturnType<typeof sumUp>;

interface Usage {
  readonly periods: readonly UsageRow[];
  readonly groups: readonly UsageRow[];
}

function nothingUsed(): Usage {
  return { periods: Object.keys(USAGE_PERIODS).map((name) => sumUp(name, [])), groups: [] };
}

const DAY_MS = 24 * 60 * 60 * 1_000;

async function readUsage({ events, keys }: Store, { by, period }: UsageFlags): Promise<Usage> {
  const untilMs = Date.now() + 1;
  const span = (days: number) => ({
    sinceMs: (Math.floor(untilMs / DAY_MS) - days + 1) * DAY_MS,
    untilMs,
    bucket: "day" as const,
  });
  const periods = Object.entries(USAGE_PERIODS).map(async ([name, days]) =>
    sumUp(name, await events.totals(span(days))),
  );
  const group = by === "key" ? "keyId" : by;
  const totals = await events.totals({ ...span(USAGE_PERIODS[period]), by: group });
  const names = new Map(by === "key" ? (await keys.list()).map(({ id, name }) => [id, name]) : []);
  const ids = [...new Set(totals.map((each) => each.group))];
  const groups = ids.map((id) =>
    sumUp(
      names.get(id) ?? (id || `(no ${by})`),
      totals.filter((each) => each.group === id),
    ),
  );
  return {
    periods: await Promise.all(periods),
    groups: groups.sort((a, b) => b.costUsd - a.costUsd || b.requests - a.requests),
  };
}

/** Sums up totals. The cost includes summaries; the savings are net of them. */
function sumUp(name: string, all: readonly Totals[]) {
  const sum = (figure: (totals: Totals) => number) => all.reduce((total, each) => total + figure(each), 0);
  return {
    name,
    requests: sum(({ requests }) => requests),
    errors: sum(({ errors }) => errors),
    inputTokens: sum(
      ({ inputTokens, cacheWriteTokens, cacheReadTokens }) => inputTokens + cacheWriteTokens + cacheReadTokens,
    ),
    cacheReadTokens: sum(({ cacheReadTokens }) => cacheReadTokens),
    outputTokens: sum(({ outputTokens }) => outputTokens),
    savedTokens: sum(({ savedTokens }) => savedTokens),
    costUsd: sum(({ costUsd, condensingUsd }) => costUsd + condensingUsd),
    savedUsd: sum(({ savedUsd, condensingUsd }) => savedUsd - condensingUsd),
  };
}

const NAMES: Readonly<Record<string, string>> = table({ today: "Today", week: "Last 7 days", month: "Last 30 days" });
const HEAD = [
  "Requests",
  "Errors",
  "Input tokens",
  "Cached tokens",
  "Output tokens",
  "Saved tokens",
  "Cost",
  "Net savings",
];

function describeUsage({ periods, groups }: Usage, { by, period }: UsageFlags, terminal: Terminal): string {
  const style = styleOf(terminal);
  const named = periods.map((row) => ({ ...row, name: NAMES[row.name] ?? row.name }));
  const whole = formatTable([["", ...HEAD], ...named.map(cells)], style);
  const parts =
    groups.length === 0
      ? ""
      : `\n${formatTable([[`${NAMES[period]}, by ${by}`, ...HEAD], ...groups.map(cells)], style)}`;
  return `${whole}${parts}Days are UTC. Costs use list prices and include summaries; savings are net of them.\n`;
}

function cells(row: UsageRow): string[] {
  const counts = [row.requests, row.errors, row.inputTokens, row.cacheReadTokens, row.outputTokens, row.savedTokens];
  return [row.name, ...counts.map(formatCount), formatUsd(row.costUsd), formatUsd(row.savedUsd)];
}
