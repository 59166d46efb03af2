import { html } from "./markup.ts";

/** As many colours as there are parts and strategies, and one for what was sent; each is told from its neighbours without seeing hues. */
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

/** How the page looks, in light and in dark. */
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
