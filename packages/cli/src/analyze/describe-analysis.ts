import type { SessionAnalysis } from "@longhaul/admin/replays";
import { heldDifference, sum } from "@longhaul/admin/replays";
import { ANATOMY_PARTS, type AnatomyPart, type Share } from "@longhaul/condense/advanced";
import { formatCount, formatUsd } from "@longhaul/models/format";
import { formatDeviation, formatPercent, PART_NAMES, pluralize, type Style } from "../terminal/output.ts";
import { formatTable } from "../terminal/table.ts";
import { type StrategyTotals, type Totals, totalsOf } from "./totals.ts";

/** Describes an analysis: three lines with the answer, then what each strategy would have saved. */
export function describeAnalysis(sessions: readonly SessionAnalysis[], style: Style, isDetailed: boolean): string {
  const totals = totalsOf(sessions);
  const answer = [style.bold(describeCost(totals)), describeBest(totals, sessions), describeSize(totals, sessions)];
  const short = `${answer.join("\n")}\n\n${shortTable(totals, style)}`;
  if (!isDetailed) return `${short}\n${style.dim(MORE)}\n`;
  return [
    short,
    formatTable([SESSION_HEAD, ...sessions.map(sessionRow)], style),
    ...describeReports(sessions, style),
    ...sessions.map((session) => describeSession(session, style)),
    ...(sessions.length === 1 ? [] : [describeTotals(totals, style)]),
    EXPLANATION,
  ].join("\n");
}

const MORE =
  "Each session, where its tokens went and what these columns mean: --details, or --html <file>. Another window: --window 64k.";

function describeCost({ sessions, calls, sentTokens, costUsd }: Totals): string {
  const cost = costUsd === null ? "no price is known" : `${formatUsd(costUsd)} at list prices`;
  return `${pluralize(sessions, "session")}, ${pluralize(calls, "request")}, ${formatCount(sentTokens)} prompt tokens: ${cost}.`;
}

function describeBest({ strategies, costUsd, sentTokens }: Totals, sessions: readonly SessionAnalysis[]): string {
  const best = bestOf(strategies);
  if (best === undefined) return "No strategy was compared.";
  const where = describeWindow(sessions);
  const { references } = best.recall;
  const recall = references.of === 0 ? "" : `, with ${formatPercent(references.hit / references.of)} recall`;
  if (worth(best) <= 0) return `In ${where}, no strategy would have been cheaper.`;
  const share =
    best.savedUsd === null || !costUsd ? best.savedTokens / Math.max(1, sentTokens) : best.savedUsd / costUsd;
  const less = best.savedUsd === null ? "of the prompt tokens" : `(${formatUsd(best.savedUsd)})`;
  return `In ${where}, ${best.strategy} would have saved ${formatPercent(share)} ${less}${recall}.`;
}

function describeWindow(sessions: readonly SessionAnalysis[]): string {
  const windows = [...new Set(sessions.map(({ windowTokens }) => windowTokens))];
  return windows.length === 1 ? `a window of ${formatCount(windows[0] ?? 0)} tokens` : "the windows of their models";
}

/** Says why strategies that only act on long prompts save nothing. */
function describeSize({ strategies }: Totals, sessions: readonly SessionAnalysis[]): string {
  const longest = Math.max(0, ...sessions.map(({ curve }) => Math.max(0, ...curve)));
  const isCondensed = strategies.some(({ condensations }) => condensations > 0);
  const isOver = sessions.some(({ curve, windowTokens }) => curve.some((tokens) => tokens > windowTokens));
  const isPartial = sessions.some(({ accuracy }) => (accuracy?.unlogged.fromStartTokens ?? 0) > 0);
  const logged = isPartial ? " (without the system prompt and tools, which logs lack)" : "";
  const size = `The longest prompt has ${formatCount(longest)} tokens${logged}`;
  return isCondensed || isOver ? `${size}.` : `${size} and fits: only repeated content could be left out.`;
}

/** The best first. */
function shortTable({ strategies, costUsd, sentTokens }: Totals, style: Style): string {
  const rows = strategies
    .toSorted((a, b) => worth(b) - worth(a))
    .map(({ strategy, condensations, savedTokens, savedUsd, recall }) => [
      strategy,
      formatCount(condensations),
      shareOf(savedTokens, sentTokens),
      formatMoney(savedUsd),
      savedUsd === null || !costUsd ? "–" : formatPercent(savedUsd / costUsd),
      recall.references.of === 0 ? "–" : shareOf(recall.references.hit, recall.references.of),
    ]);
  return formatTable([SHORT_HEAD, ...rows], style);
}

const SHORT_HEAD = ["Strategy", "Condensations", "Saved tokens", "Saved cost", "", "Recall"];

const SESSION_HEAD = ["Session", "Messages", "Requests", "Prompt tokens", "Cost", "Best saving", "Strategy"];

function sessionRow(session: SessionAnalysis): string[] {
  const { file, messages, calls, sentTokens, costUsd } = session;
  const best = bestOf(session.strategies);
  return [
    shortened(file),
    formatCount(messages),
    formatCount(calls),
    formatCount(sentTokens),
    formatMoney(costUsd),
    best === undefined ? "" : bestSaving(best, sentTokens),
    best === undefined || worth(best) <= 0 ? "" : best.strategy,
  ];
}

export function bestOf<Result extends Saved>(results: readonly Result[]): Result | undefined {
  return results.toSorted((a, b) => worth(b) - worth(a))[0];
}

type Saved = Pick<StrategyTotals, "savedUsd" | "savedTokens">;

/** Compares by money if prices are known, otherwise by tokens. */
function worth({ savedUsd, savedTokens }: Saved): number {
  return savedUsd ?? savedTokens;
}

/** Formats a saving in money if prices are known, otherwise as a share of the sent tokens. */
export function bestSaving(best: Saved, sentTokens: number): string {
  if (worth(best) <= 0) return "none";
  return best.savedUsd === null ? shareOf(best.savedTokens, sentTokens) : formatUsd(best.savedUsd);
}

function describeReports(sessions: readonly SessionAnalysis[], style: Style): string[] {
  const rows = sessions.flatMap(({ file, accuracy, recorded, costUsd }) => {
    if (accuracy === null) return [];
    const { reportedTokens, countedTokens, anchoredTokens, unlogged } = accuracy;
    return [
      [
        shortened(file),
        formatCount(accuracy.calls),
        formatCount(reportedTokens),
        formatCount(countedTokens),
        formatDeviation(countedTokens / reportedTokens - 1),
        formatDeviation(heldDifference(accuracy)),
        formatDeviation(anchoredTokens / reportedTokens - 1),
        `${formatCount(unlogged.fromStartTokens)} / ${formatCount(unlogged.laterTokens)}`,
        formatMoney(recorded?.costUsd ?? null),
        formatMoney(costUsd),
      ],
    ];
  });
  if (rows.length === 0) return [];
  return [`${style.bold("Reported and counted tokens")}\n${formatTable([REPORT_HEAD, ...rows], style)}\n${REPORTS}`];
}

const REPORT_HEAD = [
  "Session",
  "Requests",
  "Reported",
  "Counted",
  "Error",
  "Error, logged part",
  "Error, anchored",
  "Not logged",
  "Recorded cost",
  "Calculated cost",
];

const REPORTS = `Prompt tokens of all finished requests. Logs lack some content, such as the system prompt, tools and other files. Its size is taken from the reported usage in three places: the first prompt, the first prompt after the client compacted, and prompts that grew by less than half or more than twice the count of their new messages. "Anchored" counts like the gateway: the size reported for the previous request, plus the new messages. "Not logged" shows the content missing at the start / added later.\n`;

function describeSession(session: SessionAnalysis, style: Style): string {
  const { file, format, model, windowTokens, anatomy, assumption, warnings } = session;
  const tools = anatomy.byTool.slice(0, TOOLS).map(({ name, uses, callTokens, resultTokens }) => {
    return `${name || "(unnamed)"} ${formatCount(callTokens + resultTokens)} tokens in ${pluralize(uses, "call")}`;
  });
  return [
    style.bold(`${file} (${format}, ${model ?? "no model named"})`),
    `Tokens by type (each message counted once): ${formatParts(anatomy.parts)}`,
    ...(tools.length === 0 ? [] : [`Largest tools: ${tools.join(", ")}`]),
    ...(assumption === null ? [] : [style.bad(`Warning: ${assumption}`)]),
    ...(warnings.length === 0
      ? []
      : [style.bad(`Skipped ${pluralize(warnings.length, "line")}, the first at line ${warnings[0]?.line}`)]),
    `In a window of ${formatCount(windowTokens)} tokens:`,
    strategyTable(session.strategies, session, style),
  ].join("\n");
}

const TOOLS = 6;

function describeTotals(totals: Totals, style: Style): string {
  const { sessions, calls, sentTokens, costUsd, pricedSessions, reported } = totals;
  const priced =
    pricedSessions === sessions
      ? ""
      : ` (prices are known for ${formatCount(pricedSessions)} of ${formatCount(sessions)} sessions)`;
  const off =
    reported.sessions === 0
      ? ""
      : `; token count error: ${formatDeviation(reported.countedTokens / reported.tokens - 1)}`;
  return [
    style.bold(`Total of ${formatCount(sessions)} sessions`),
    `${pluralize(calls, "request")}, ${formatCount(sentTokens)} prompt tokens, ${formatMoney(costUsd)}${priced}${off}`,
    `Tokens by type (each message counted once): ${formatParts(totals.parts)}`,
    strategyTable(totals.strategies, totals, style),
  ].join("\n");
}

function strategyTable(
  results: readonly StrategyTotals[],
  whole: Pick<Totals, "sentTokens" | "costUsd">,
  style: Style,
): string {
  const rows = results.map(({ strategy, condensations, savedTokens, savedUsd, summaryCostUsd, recall }) => [
    strategy,
    formatCount(condensations),
    formatCount(savedTokens),
    shareOf(savedTokens, whole.sentTokens),
    formatMoney(savedUsd),
    savedUsd === null || !whole.costUsd ? "–" : formatPercent(savedUsd / whole.costUsd),
    formatMoney(summaryCostUsd),
    formatRecall(recall.references),
    formatRecall(recall.quotes),
  ]);
  return formatTable([STRATEGY_HEAD, ...rows], style);
}

const STRATEGY_HEAD = [
  "Strategy",
  "Condensations",
  "Saved tokens",
  "",
  "Saved cost",
  "",
  "Summary cost",
  "Recall",
  "Quotes",
];

export const EXPLANATION = `Saved tokens are prompt tokens, summed over all requests. Costs use list prices and the cache usage in the log; if the log has none, they assume that everything sent before is still cached. Saved cost is net of summaries by the session's own model; if it is negative, the strategy costs more than it saves. The last columns show how much of the content that the assistant used in the 24 messages after a condensation was still in the prompt: names, paths and numbers (Recall), and lines of tool arguments (Quotes). These summaries were written without a model.\n`;

function formatParts(parts: Readonly<Record<AnatomyPart, number>>): string {
  const tokens = Math.max(1, sum(Object.values(parts)));
  const used = ANATOMY_PARTS.filter((part) => parts[part] > 0).sort((a, b) => parts[b] - parts[a]);
  return used.map((part) => `${PART_NAMES[part]} ${formatPercent(parts[part] / tokens)}`).join(", ");
}

function formatRecall({ hit, of }: Share): string {
  return of === 0 ? "–" : `${formatPercent(hit / of)} of ${formatCount(of)}`;
}

export function formatMoney(usd: number | null): string {
  return usd === null ? "–" : formatUsd(usd);
}

function shareOf(part: number, whole: number): string {
  return formatPercent(whole === 0 ? 0 : part / whole);
}

const NAME_CHARACTERS = 44;

function shortened(file: string): string {
  return file.length > NAME_CHARACTERS ? `…${file.slice(1 - NAME_CHARACTERS)}` : file;
}
