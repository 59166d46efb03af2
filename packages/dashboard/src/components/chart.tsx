import "uplot/dist/uPlot.min.css";
import { useEffect, useRef, useState } from "preact/hooks";
import uPlot from "uplot";
import { common } from "../strings/common.ts";
import { formatDay, formatTime } from "../strings/format.ts";

export interface Series {
  readonly name: string;
  /** One for each point in time; `null` for a gap. */
  readonly values: readonly (number | null)[];
  readonly color: string;
  /** `steps` is dashed and stays level until the next point: a limit changes at once. */
  readonly shape?: "line" | "area" | "bars" | "dashes" | "steps" | "marks";
}

interface ChartProps {
  readonly title: string;
  /** Points in time in milliseconds, or turn numbers. */
  readonly at: readonly number[];
  readonly axis: Axis;
  readonly series: readonly Series[];
  readonly format: (value: number) => string;
  readonly height?: number;
  /** Called when the reader clicks a point, with its index. */
  readonly onChoose?: ((index: number) => void) | undefined;
}

type Axis = "hours" | "days" | "turns";

/** A chart over time or turns. Its legend shows the values under the pointer, or else the latest ones. */
export function Chart({ title, at, axis, series, format, height = 200, onChoose }: ChartProps) {
  const container = useRef<HTMLDivElement>(null);
  const [pointed, setPointed] = useState<number>();
  useEffect(() => {
    const element = container.current;
    if (element === null) return undefined;
    const redraw = () => draw(element, { at, axis, series, format, height, onPoint: setPointed });
    let plot = redraw();
    // A canvas does not follow CSS variables.
    const themes = new MutationObserver(() => {
      plot.destroy();
      plot = redraw();
    });
    themes.observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme"] });
    const sizes = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height }));
    sizes.observe(element);
    return () => {
      themes.disconnect();
      sizes.disconnect();
      plot.destroy();
    };
  }, [at, axis, series, format, height]);
  const shown = pointed !== undefined && pointed < at.length ? pointed : at.length - 1;
  return (
    <figure class="chart">
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: tables beside charts have the same links */}
      <div
        role="img"
        aria-label={title}
        ref={container}
        onClick={() => (pointed === undefined ? undefined : onChoose?.(pointed))}
      />
      <figcaption class="legend">
        {at[shown] === undefined ? null : <span class="soft number at">{FORMAT_AT[axis](at[shown])}</span>}
        {series.map(({ name, values, color, shape = "line" }) => {
          const value = values[shown] ?? undefined;
          return (
            <span key={name} class="item">
              <span class="swatch" data-shape={shape} style={{ color: `var(${color})` }} />
              {name} <span class="number soft">{value === undefined ? common.missing : format(value)}</span>
            </span>
          );
        })}
      </figcaption>
    </figure>
  );
}

const FORMAT_AT: Readonly<Record<Axis, (at: number) => string>> = {
  hours: (atMs) => `${formatDay(atMs)}, ${formatTime(atMs)}`,
  days: (atMs) => formatDay(atMs, "UTC"),
  turns: common.turn,
};

interface DrawProps extends Required<Omit<ChartProps, "title" | "onChoose">> {
  readonly onPoint: (index: number | undefined) => void;
}

function draw(element: HTMLElement, { at, axis, series, format, height, onPoint }: DrawProps): uPlot {
  const style = getComputedStyle(document.documentElement);
  const color = (name: string) => style.getPropertyValue(name).trim();
  const look = {
    stroke: color("--text-soft"),
    font: `12px ${style.getPropertyValue("--font").trim()}`,
    ticks: { show: false },
  };
  // Bars extend to both sides of their point, and a single point has no range.
  const isSpread = at.length < 2 || series.some(({ shape }) => shape === "bars");
  const spread = isSpread ? ((at[1] ?? SINGLE_POINT_STEP) - (at.length < 2 ? 0 : (at[0] ?? 0))) / 2 : 0;
  const { low, high, isFlat } = valueAxis(series.flatMap(({ values }) => values));
  const options: uPlot.Options = {
    width: element.clientWidth,
    height,
    ms: 1,
    tzDate: (atMs) => (axis === "days" ? uPlot.tzDate(new Date(atMs), "Etc/UTC") : new Date(atMs)),
    // Half of the last label extends beyond the axis.
    padding: [8, 22, 0, 0],
    cursor: { drag: { x: false, y: false }, points: { size: 7 } },
    legend: { show: false },
    hooks: { setCursor: [({ cursor }) => onPoint(cursor.idx ?? undefined)] },
    scales: {
      x: { time: axis !== "turns", range: (_plot, min, max) => [min - spread, max + spread] },
      y: { range: [low, high] },
    },
    axes: [
      { ...look, size: 30, grid: { show: false }, ...AXES[axis] },
      {
        ...look,
        size: 58,
        grid: { stroke: color("--line"), width: 1 },
        values: (_plot, splits) => splits.map((split) => (isFlat && split > 0 ? "" : format(split))),
      },
    ],
    series: [{}, ...series.map((one) => seriesOptions(one, { color, isSingle: at.length < 2 }))],
  };
  return new uPlot(options, [[...at], ...series.map(({ values }) => [...values])], element);
}

const HOUR_MS = 3_600_000;
/** The width of the axis for a single point. */
const SINGLE_POINT_STEP = HOUR_MS;

const AXES: Readonly<Record<Axis, Pick<uPlot.Axis, "values" | "incrs" | "space">>> = {
  hours: {
    space: 64,
    incrs: [1, 2, 3, 4, 6, 12, 24, 48].map((hours) => hours * HOUR_MS),
    values: (_plot, splits) =>
      splits.map((atMs) => (formatTime(atMs) === "00:00" ? formatDay(atMs) : formatTime(atMs))),
  },
  days: {
    space: 64,
    incrs: [1, 2, 3, 5, 7, 14, 28].map((days) => 24 * days * HOUR_MS),
    values: (_plot, splits) => splits.map((atMs) => formatDay(atMs, "UTC")),
  },
  // Without these, uPlot also labels half turns.
  turns: { incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000] },
};

interface SeriesLook {
  readonly color: (name: string) => string;
  /** Whether there is only one point: a line through it would be invisible. */
  readonly isSingle: boolean;
}

function seriesOptions({ color: name, shape = "line" }: Series, { color, isSingle }: SeriesLook): uPlot.Series {
  const stroke = color(name);
  const shared = { stroke, width: 2, points: { show: isSingle, size: 8, fill: stroke } };
  switch (shape) {
    case "line":
      return shared;
    case "area":
      return { ...shared, fill: `${stroke}2e` };
    case "dashes":
      return { ...shared, dash: [5, 5], width: 1.5 };
    case "steps": {
      const paths = uPlot.paths.stepped?.({ align: 1 });
      return { ...shared, dash: [5, 5], width: 1.5, ...(paths === undefined ? {} : { paths }) };
    }
    case "bars": {
      const paths = uPlot.paths.bars?.({ size: [0.7, 48], radius: 0.15 });
      return { ...shared, fill: stroke, width: 0, points: { show: false }, ...(paths === undefined ? {} : { paths }) };
    }
    case "marks":
      return { ...shared, width: 0, points: { show: true, size: 9, fill: stroke, stroke: color("--surface") } };
  }
}

/** Leaves space above the highest value and below the lowest. */
const ROOM = 1.08;

/** Returns an axis that includes zero and all values. Losses are negative. If all values are zero, it is flat and needs no scale. */
export function valueAxis(values: readonly (number | null)[]) {
  const known = values.map((value) => value ?? 0);
  const low = known.reduce((least, value) => Math.min(least, value), 0);
  const high = known.reduce((most, value) => Math.max(most, value), 0);
  if (low === 0 && high === 0) return { low: 0, high: 1, isFlat: true };
  return { low: low * ROOM, high: high * ROOM, isFlat: false };
}
