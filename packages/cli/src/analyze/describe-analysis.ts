import { ANATOMY_PARTS, type AnatomyPart, type Share } from "@longhaul/condense";
import { formatCount, formatUsd } from "@longhaul/models/format";
import { formatDeviation, formatPercent, formatTable, type Style } from "../terminal/output.ts";
import { heldDifference } from "./prompts.ts";
import type { SessionAnalysis } from "./session-analysis.ts";
import { type StrategyTotals, type Totals, totalsOf } from "./totals.ts";

/** What an analysis says, in words and tables. */
export function describeAnalysis(sessions: readonly SessionAnalysis[], style: Style, isDetailed: boolean): string {
  const totals = totalsOf(sessions);
  const details = isDetailed || sessions.length === 1 ? sessions.map((session) => describeSession(session, style)) : [];
  return [
    formatTable([SESSION_HEAD, ...sessions.map(sessionRow)], style),
    ...describeReports(sessions, style),
    ...details,
    ...(sessions.length === 1 ? [] : [describeTotals(totals, style)]),
    EXPLANATION,
  ].join("\n");
}

const SESSION_HEAD = ["session", "messages", "calls", "prompt tokens", "cost", "best saving", "by"];

function sessionRow(session: SessionAnalysis): string[] {
  const { file, messages, calls, sentTokens, costUsd } = session;
  const best = session.strategies.toSorted((a, b) => worth(b) - worth(a))[0];
  const saved = best === undefined ? "" : bestSaving(best, sentTokens);
  return [
    shortened(file),
    formatCount(messages),
    formatCount(calls),
    formatCount(sentTokens),
    formatMoney(costUsd),
    saved,
    best === undefined || worth(best) <= 0 ? "" : best.strategy,
  ];
}

/** Money decides where it is known, tokens where it is not. */
function worth({ savedUsd, savedTokens }: Pick<StrategyTotals, "savedUsd" | "savedTokens">): number {
  return savedUsd ?? savedTokens;
}

function bestSaving(best: Pick<StrategyTotals, "savedUsd" | "savedTokens">, sentTokens: number): string {
  if (worth(best) <= 0) return "none";
  return best.savedUsd === null ? shareOf(best.savedTokens, sentTokens) : formatUsd(best.savedUsd);
}

/** How near our counts are, session by session, where a log reports usage. */
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
        `${formatCount(unlogged.fromStartTokens)} + ${formatCount(unlogged.laterTokens)}`,
        formatMoney(recorded?.costUsd ?? null),
        formatMoney(costUsd),
      ],
    ];
  });
  if (rows.length === 0) return [];
  return [`${style.bold("Reported usage against our count")}\n${formatTable([REPORT_HEAD, ...rows], style)}${REPORTS}`];
}

const REPORT_HEAD = [
  "session",
  "calls",
  "reported",
  "counted",
  "off",
  "of what is logged",
  "from last report",
  "not in the log",
  "recorded cost",
  "our cost",
];

const REPORTS = `Prompt tokens of all calls that finished. What the log does not hold (system prompt, tools, lines of other files, what came in later) is
taken from the reports: of the first prompt, also after a compaction of the client's, and of steps that grew by less than half or more than
twice of what their messages count. Nothing else is fitted to the reports. "From last report" counts as the gateway does: only what is new in a prompt is estimated.
`;

function describeSession(session: SessionAnalysis, style: Style): string {
  const { file, format, model, windowTokens, anatomy, assumption, warnings } = session;
  const tools = anatomy.byTool.slice(0, TOOLS).map(({ name, uses, callTokens, resultTokens }) => {
    return `${name || "(unnamed)"} ${formatCount(callTokens + resultTokens)} in ${formatCount(uses)}`;
  });
  return [
    style.bold(`${file} (${format}, ${model ?? "no model named"})`),
    `every message once: ${formatParts(anatomy.parts)}`,
    ...(tools.length === 0 ? [] : [`tools: ${tools.join(", ")}`]),
    ...(assumption === null ? [] : [style.bad(assumption)]),
    ...(warnings.length === 0
      ? []
      : [style.bad(`${formatCount(warnings.length)} lines were skipped; the first: line ${warnings[0]?.line}`)]),
    `in a window of ${formatCount(windowTokens)} tokens:`,
    strategyTable(session.strategies, session, style),
  ].join("\n");
}

const TOOLS = 6;

function describeTotals(totals: Totals, style: Style): string {
  const { sessions, calls, sentTokens, costUsd, pricedSessions, reported } = totals;
  const priced = pricedSessions === sessions ? "" : ` (${formatCount(pricedSessions)} of them have prices)`;
  const off =
    reported.sessions === 0
      ? ""
      : `; where usage is reported, our count is off by ${formatDeviation(reported.countedTokens / reported.tokens - 1)}`;
  return [
    style.bold(`All ${formatCount(sessions)} sessions`),
    `${formatCount(calls)} calls, ${formatCount(sentTokens)} prompt tokens, ${formatMoney(costUsd)}${priced}${off}`,
    `every message once: ${formatParts(totals.parts)}`,
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
  "strategy",
  "condensed",
  "tokens saved",
  "",
  "money saved",
  "",
  "summaries",
  "references",
  "quotes",
];

const EXPLANATION = `Tokens saved are prompt tokens over all calls. Money is by the catalog's prices, with the cache as the log reports it (else with one that
forgets nothing), less what summaries would cost from the session's own model. References and quotes: of the names, paths and numbers, and
of the lines in tool arguments, that the assistant used in the 24 messages after a condensation, the share that was still there, at the
moments at which each strategy condensed; summaries were made without a model.
`;

function formatParts(parts: Readonly<Record<AnatomyPart, number>>): string {
  const tokens = Math.max(
    1,
    ANATOMY_PARTS.reduce((total, part) => total + parts[part], 0),
  );
  const used = ANATOMY_PARTS.filter((part) => parts[part] > 0).sort((a, b) => parts[b] - parts[a]);
  return used.map((part) => `${part} ${formatPercent(parts[part] / tokens)}`).join(", ");
}

function formatRecall({ hit, of }: Share): string {
  return of === 0 ? "–" : `${formatPercent(hit / of)} of ${formatCount(of)}`;
}

function formatMoney(usd: number | null): string {
  return usd === null ? "–" : formatUsd(usd);
}

function shareOf(part: number, whole: number): string {
  return formatPercent(whole === 0 ? 0 : part / whole);
}

const NAME_CHARACTERS = 44;

function shortened(file: string): string {
  return file.length > NAME_CHARACTERS ? `…${file.slice(1 - NAME_CHARACTERS)}` : file;
}
