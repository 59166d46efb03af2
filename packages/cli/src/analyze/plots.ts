import { sum } from "@longhaul/admin/replays";
import { formatCount } from "@longhaul/models/format";
import { html, type Markup } from "./markup.ts";

export interface Bar {
  readonly name: string;
  readonly value: number;
  readonly label: string;
  readonly colour: number;
}

export interface Line {
  readonly name: string;
  readonly values: readonly number[];
  readonly colour: number;
}

const WIDTH = 720;

export function shareBar(title: string, bars: readonly Bar[]): Markup {
  const height = 28;
  const total = Math.max(1, sum(bars.map(({ value }) => value)));
  let left = 0;
  const pieces = bars.map(({ name, value, label, colour }) => {
    const width = (WIDTH * value) / total;
    const piece = html`<rect x="${left}" y="0" width="${width}" height="${height}" class="c${colour}"><title>${name}: ${label}</title></rect>`;
    left += width;
    return piece;
  });
  return html`<svg viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${title}">${pieces}</svg>${legend(bars)}`;
}

function legend(entries: readonly { readonly name: string; readonly label?: string; readonly colour: number }[]) {
  const items = entries.map(
    ({ name, label = "", colour }) =>
      html`<li><span class="dot b${colour}"></span>${name} <span class="dim">${label}</span></li>`,
  );
  return html`<ul class="legend">${items}</ul>`;
}

const ROW = 26;
const NAME_WIDTH = 130;
const LABEL_WIDTH = 110;

/** Returns a chart with one horizontal bar per number; negative bars extend to the left of zero. */
export function barChart(title: string, bars: readonly Bar[]): Markup {
  const low = Math.min(0, ...bars.map(({ value }) => value));
  const high = Math.max(0, ...bars.map(({ value }) => value));
  const scale = (WIDTH - NAME_WIDTH - LABEL_WIDTH) / Math.max(high - low, Number.EPSILON);
  const zero = NAME_WIDTH - low * scale;
  const rows = bars.map(({ name, value, label, colour }, index) => {
    const y = index * ROW;
    const x = value < 0 ? zero + value * scale : zero;
    const width = Math.abs(value) * scale;
    return html`<text x="0" y="${y + 17}">${name}</text><rect x="${x}" y="${y + 4}" width="${width}" height="${ROW - 8}" class="c${colour}"/><text x="${Math.max(x + width, zero) + 6}" y="${y + 17}" class="label">${label}</text>`;
  });
  const height = bars.length * ROW;
  return html`<svg viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${title}">${rows}<line x1="${zero}" y1="0" x2="${zero}" y2="${height}" class="axis"/></svg>`;
}

const PLOT_HEIGHT = 240;
const MARGIN = { left: 64, right: 8, top: 8, bottom: 24 };
/** More points would not be visible. */
const MAX_POINTS = 400;

export function lineChart(
  title: string,
  lines: readonly Line[],
  level: { readonly name: string; readonly value: number },
): Markup {
  const length = Math.max(2, ...lines.map(({ values }) => values.length));
  const top = Math.max(1, level.value, ...lines.flatMap(({ values }) => values));
  const x = (index: number) => MARGIN.left + (index / (length - 1)) * (WIDTH - MARGIN.left - MARGIN.right);
  const y = (value: number) => MARGIN.top + (1 - value / top) * (PLOT_HEIGHT - MARGIN.top - MARGIN.bottom);
  const ticks = [0, 0.25, 0.5, 0.75, 1].map((share) => {
    const at = y(share * top);
    return html`<line x1="${MARGIN.left}" y1="${at}" x2="${WIDTH - MARGIN.right}" y2="${at}" class="grid"/><text x="${MARGIN.left - 6}" y="${at + 4}" class="tick">${formatShort(share * top)}</text>`;
  });
  const curves = lines.map(({ values, colour, name }) => {
    const step = Math.max(1, Math.ceil(values.length / MAX_POINTS));
    const kept = values
      .map((value, index) => [index, value] as const)
      .filter(([index]) => index % step === 0 || index === values.length - 1);
    const points = kept.map(([index, value]) => `${x(index).toFixed(1)},${y(value).toFixed(1)}`).join(" ");
    return html`<polyline points="${points}" class="s${colour}"><title>${name}</title></polyline>`;
  });
  const limit = html`<line x1="${MARGIN.left}" y1="${y(level.value)}" x2="${WIDTH - MARGIN.right}" y2="${y(level.value)}" class="limit"><title>${level.name}</title></line>`;
  const calls = html`<text x="${WIDTH - MARGIN.right}" y="${PLOT_HEIGHT - 6}" class="tick">request ${formatCount(length)}</text>`;
  return html`<svg viewBox="0 0 ${WIDTH} ${PLOT_HEIGHT}" role="img" aria-label="${title}">${ticks}${limit}${curves}${calls}</svg>${legend(lines)}`;
}

function formatShort(count: number): string {
  if (count >= 1_000_000) return `${(count / 1_000_000).toFixed(1)}M`;
  return count >= 1_000 ? `${Math.round(count / 1_000)}K` : String(Math.round(count));
}
