import type { SessionAnalysis } from "@longhaul/admin/replays";
import { sum } from "@longhaul/admin/replays";
import { ANATOMY_PARTS, type AnatomyPart, type Share } from "@longhaul/condense/advanced";
import { formatCount, formatUsd } from "@longhaul/models/format";
import { formatDeviation, formatPercent, PART_NAMES, pluralize } from "../terminal/output.ts";
import { bestOf, bestSaving, EXPLANATION, formatMoney } from "./describe-analysis.ts";
import { html, type Markup } from "./markup.ts";
import { barChart, lineChart, shareBar } from "./plots.ts";
import { type StrategyTotals, type Totals, totalsOf } from "./totals.ts";

export function htmlReport(sessions: readonly SessionAnalysis[]): string {
  const totals = totalsOf(sessions);
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Longhaul: where the tokens went</title>
<style>${PAGE_STYLE}</style>
</head>
<body>
<main>
<h1>Where the tokens went</h1>
${cards(totals)}
<section><h2>Tokens by type</h2><p>Each message is counted once.</p>${anatomyBar(totals.parts)}</section>
<section><h2>What each strategy would have saved</h2>${savings(totals.strategies, totals)}<p class="dim">${EXPLANATION}</p></section>
${reports(sessions)}
<section><h2>Sessions</h2>${sessions.map(sessionPart)}</section>
</main>
</body>
</html>
`;
  return page.markup;
}

function cards({ sessions, calls, sentTokens, costUsd, strategies, reported }: Totals): Markup {
  const best = bestOf(strategies);
  const off = reported.sessions === 0 ? "–" : formatDeviation(reported.countedTokens / reported.tokens - 1);
  const all: readonly (readonly [string, string])[] = [
    [sessions === 1 ? "Session" : "Sessions", formatCount(sessions)],
    [calls === 1 ? "Request" : "Requests", formatCount(calls)],
    ["Prompt tokens", formatCount(sentTokens)],
    ["Cost", formatMoney(costUsd)],
    ...(best === undefined ? [] : [[`Best saving, by ${best.strategy}`, bestSaving(best, sentTokens)] as const]),
    ["Token count error", off],
  ];
  return html`<ul class="cards">${all.map(([name, value]) => html`<li><strong>${value}</strong>${name}</li>`)}</ul>`;
}

function anatomyBar(parts: Readonly<Record<AnatomyPart, number>>): Markup {
  const tokens = Math.max(1, sum(Object.values(parts)));
  const bars = ANATOMY_PARTS.map((part, colour) => {
    return { name: PART_NAMES[part], value: parts[part], label: formatPercent(parts[part] / tokens), colour };
  });
  const used = bars.filter(({ value }) => value > 0);
  return shareBar("Tokens by type", used);
}

function savings(results: readonly StrategyTotals[], whole: Pick<Totals, "sentTokens" | "costUsd">): Markup {
  const isPriced = results.some(({ savedUsd }) => savedUsd !== null);
  const bars = results.map(({ strategy, savedUsd, savedTokens }, colour) => {
    const label = isPriced ? formatUsd(savedUsd ?? 0) : formatPercent(savedTokens / Math.max(1, whole.sentTokens));
    return { name: strategy, value: isPriced ? (savedUsd ?? 0) : savedTokens, label, colour };
  });
  const rows = results.map(
    (result) =>
      html`<tr><th>${result.strategy}</th><td>${formatCount(result.condensations)}</td><td>${formatCount(result.savedTokens)}</td><td>${formatPercent(result.savedTokens / Math.max(1, whole.sentTokens))}</td><td>${formatMoney(result.savedUsd)}</td><td>${formatMoney(result.summaryCostUsd)}</td><td>${recall(result.recall.references)}</td><td>${recall(result.recall.quotes)}</td></tr>`,
  );
  const head = html`<tr><th>Strategy</th><th>Condensations</th><th colspan="2">Saved tokens</th><th>Saved cost</th><th>Summary cost</th><th>Recall</th><th>Quotes</th></tr>`;
  return html`${barChart(isPriced ? "Saved cost" : "Saved tokens", bars)}${table(head, rows)}`;
}

/** A table may be wider than the screen; `tabindex` lets keyboard users scroll it. */
function table(head: Markup, rows: readonly Markup[]): Markup {
  return html`<div class="wide" tabindex="0"><table>${head}${rows}</table></div>`;
}

function reports(sessions: readonly SessionAnalysis[]): Markup {
  const rows = sessions.flatMap(({ file, accuracy, recorded, costUsd }) => {
    if (accuracy === null) return [];
    const { reportedTokens, countedTokens, anchoredTokens, unlogged } = accuracy;
    return [
      html`<tr><th>${file}</th><td>${formatCount(reportedTokens)}</td><td>${formatCount(countedTokens)}</td><td>${formatDeviation(countedTokens / reportedTokens - 1)}</td><td>${formatDeviation(anchoredTokens / reportedTokens - 1)}</td><td>${formatCount(unlogged.fromStartTokens)} / ${formatCount(unlogged.laterTokens)}</td><td>${formatMoney(recorded?.costUsd ?? null)}</td><td>${formatMoney(costUsd)}</td></tr>`,
    ];
  });
  if (rows.length === 0) return html``;
  const head = html`<tr><th>Session</th><th>Reported</th><th>Counted</th><th>Error</th><th>Error, anchored</th><th>Not logged</th><th>Recorded cost</th><th>Calculated cost</th></tr>`;
  return html`<section><h2>Reported and counted tokens</h2>${table(head, rows)}<p class="dim">Content that is missing in a log (at the start / added later) is taken from the reported usage; everything else is counted by Longhaul. “Anchored” counts like the gateway: the size reported for the previous request, plus the new messages.</p></section>`;
}

function sessionPart(session: SessionAnalysis): Markup {
  const { file, format, model, messages, calls, sentTokens, costUsd, windowTokens, anatomy, assumption, warnings } =
    session;
  const lines = [
    { name: "original", values: session.curve, colour: 9 },
    ...session.strategies.map(({ strategy, curve }, colour) => ({ name: strategy, values: curve, colour })),
  ];
  const level = { name: `window of ${formatCount(windowTokens)} tokens`, value: windowTokens };
  const notes = [
    assumption ?? "",
    ...warnings.map(({ line, message }) => `line ${line}: ${message}`).slice(0, SHOWN_WARNINGS),
  ];
  return html`<details><summary>${file} <span class="dim">${formatCount(sentTokens)} tokens, ${formatMoney(costUsd)}</span></summary>
<p>${format}, ${model ?? "no model named"}: ${pluralize(messages, "message")}, ${pluralize(calls, "request")}.</p>
${notes.filter((note) => note !== "").map((note) => html`<p class="dim">${note}</p>`)}
${anatomyBar(anatomy.parts)}
<h3>Prompt tokens per request</h3>
${session.curve.length < 2 ? html`<p class="dim">A chart needs at least two requests.</p>` : lineChart("Prompt tokens per request", lines, level)}
${savings(session.strategies, session)}
</details>`;
}

const SHOWN_WARNINGS = 5;

function recall({ hit, of }: Share): string {
  return of === 0 ? "–" : formatPercent(hit / of);
}

/** One colour for each type of token or strategy, and one for the original prompts. Neighbours differ in brightness, too. */
const COLOURS = [
  "#4269d0",
  "#efb118",
  "#ff725c",
  "#6cc5b0",
  "#3ca951",
  "#ff8ab7",
  "#a463f2",
  "#97bbf5",
  "#9c6b4e",
  "#8a8f98",
];

const colourRules = COLOURS.map(
  (colour, index) =>
    `.c${index}{fill:${colour}}.b${index}{background:${colour}}.s${index}{fill:none;stroke:${colour};stroke-width:1.6}`,
).join("\n");

export const PAGE_STYLE = html`
:root{color-scheme:light dark;--ink:#1b1f24;--dim:#667080;--line:#d5dae1;--paper:#fff;--card:#f5f7fa}
@media (prefers-color-scheme:dark){:root{--ink:#e6e9ee;--dim:#98a2b3;--line:#343b46;--paper:#14171c;--card:#1d2128}}
body{margin:0;background:var(--paper);color:var(--ink);font:15px/1.5 system-ui,sans-serif}
main{max-width:760px;margin:0 auto;padding:24px 16px}
h1{font-size:26px}h2{font-size:19px;margin-top:36px}h3{font-size:15px}
svg{width:100%;height:auto;display:block;margin:8px 0}
svg text{font-size:13px;fill:var(--ink)}svg .label,svg .tick{fill:var(--dim)}svg .tick{font-size:11px;text-anchor:end}
.axis,.grid{stroke:var(--line)}.limit{stroke:var(--ink);stroke-dasharray:4 4}
table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums;font-size:13px}
th,td{padding:4px 6px;border-bottom:1px solid var(--line);text-align:right}th:first-child{text-align:left;min-width:7em;overflow-wrap:anywhere}
td{white-space:nowrap}.wide{overflow-x:auto}
ul{list-style:none;padding:0}.legend{display:flex;flex-wrap:wrap;gap:4px 16px;font-size:13px}
.dot{display:inline-block;width:10px;height:10px;border-radius:2px;margin-right:6px}
.cards{display:grid;grid-template-columns:repeat(auto-fit,minmax(150px,1fr));gap:8px}
.cards li{background:var(--card);border-radius:8px;padding:12px;color:var(--dim);font-size:13px}
.cards strong{display:block;font-size:20px;color:var(--ink)}
.dim{color:var(--dim);font-size:13px}details{border-top:1px solid var(--line);padding:8px 0}summary{cursor:pointer;overflow-wrap:anywhere}
${{ markup: colourRules }}
`;
