import "uplot/dist/uPlot.min.css";
import { useEffect, useRef, useState } from "preact/hooks";
import uPlot from "uplot";
import { formatDay, formatTime } from "../strings/format.ts";

/** One line or row of bars of a chart. */
export interface Series {
  readonly name: string;
  /** One for each time; `null` where there is none. */
  readonly values: readonly (number | null)[];
  /** The name of a colour of the theme, such as `--accent`. */
  readonly colour: string;
  readonly shape?: "line" | "area" | "bars" | "dashes" | "marks";
}

interface ChartProps {
  /** What the chart shows, for those who do not see it. */
  readonly title: string;
  /** Milliseconds, or numbers of turns. */
  readonly at: readonly number[];
  readonly axis: Axis;
  readonly series: readonly Series[];
  readonly spell: (value: number) => string;
  readonly height?: number;
}

type Axis = "hours" | "days" | "turns";

/** Lines or bars over time. Its legend has the figures of the place that the pointer is at, else the latest. */
export function Chart({ title, at, axis, series, spell, height = 200 }: ChartProps) {
  const place = useRef<HTMLDivElement>(null);
  const [pointed, setPointed] = useState<number>();
  useEffect(() => {
    const element = place.current;
    if (element === null) return undefined;
    const drawn = () => draw(element, { at, axis, series, spell, height, onPoint: setPointed });
    let plot = drawn();
    // Colours are read when it is drawn.
    const themes = new MutationObserver(() => {
      plot.destroy();
      plot = drawn();
    });
    themes.observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme"] });
    const sizes = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height }));
    sizes.observe(element);
    return () => {
      themes.disconnect();
      sizes.disconnect();
      plot.destroy();
    };
  }, [at, axis, series, spell, height]);
  const shown = pointed !== undefined && pointed < at.length ? pointed : at.length - 1;
  return (
    <figure class="chart">
      <div role="img" aria-label={title} ref={place} />
      <figcaption class="legend">
        {at[shown] === undefined ? null : <span class="soft number at">{SPELL_AT[axis](at[shown])}</span>}
        {series.map(({ name, values, colour, shape = "line" }) => (
          <span key={name} class="item">
            <span class="swatch" data-shape={shape} style={{ color: `var(${colour})` }} />
            {name} <span class="number soft">{spellValue(values[shown], spell)}</span>
          </span>
        ))}
      </figcaption>
    </figure>
  );
}

function spellValue(value: number | null | undefined, spell: (value: number) => string): string {
  return value === null || value === undefined ? "–" : spell(value);
}

const SPELL_AT: Readonly<Record<Axis, (at: number) => string>> = {
  hours: (atMs) => `${formatDay(atMs)}, ${formatTime(atMs)}`,
  days: (atMs) => formatDay(atMs, "UTC"),
  turns: (turn) => `Turn ${turn}`,
};

interface DrawProps extends Required<Omit<ChartProps, "title">> {
  readonly onPoint: (index: number | undefined) => void;
}

function draw(element: HTMLElement, { at, axis, series, spell, height, onPoint }: DrawProps): uPlot {
  const style = getComputedStyle(document.documentElement);
  const colour = (name: string) => style.getPropertyValue(name).trim();
  const look = {
    stroke: colour("--text-soft"),
    font: `12px ${style.getPropertyValue("--font").trim()}`,
    ticks: { show: false },
  };
  // Bars stand on both sides of their place; one place alone has no span.
  const isSpread = at.length < 2 || series.some(({ shape }) => shape === "bars");
  const spread = isSpread ? ((at[1] ?? LONE_STEP) - (at.length < 2 ? 0 : (at[0] ?? 0))) / 2 : 0;
  const { low, high, isFlat } = valueAxis(series.flatMap(({ values }) => values));
  const options: uPlot.Options = {
    width: element.clientWidth,
    height,
    ms: 1,
    tzDate: (atMs) => (axis === "days" ? uPlot.tzDate(new Date(atMs), "Etc/UTC") : new Date(atMs)),
    // Half of the last day's name stands beyond the axis.
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
        grid: { stroke: colour("--line"), width: 1 },
        values: (_plot, splits) => splits.map((split) => (isFlat && split > 0 ? "" : spell(split))),
      },
    ],
    series: [{}, ...series.map((one) => seriesOptions(one, { colour, isLone: at.length < 2 }))],
  };
  return new uPlot(options, [[...at], ...series.map(({ values }) => [...values])], element);
}

const HOUR_MS = 3_600_000;
/** How wide the axis is where there is one place alone. */
const LONE_STEP = HOUR_MS;

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
  // Turns are not counted in halves.
  turns: { incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000] },
};

interface SeriesLook {
  readonly colour: (name: string) => string;
  /** Whether there is one place alone: a line of one point is not seen. */
  readonly isLone: boolean;
}

function seriesOptions({ colour: name, shape = "line" }: Series, { colour, isLone }: SeriesLook): uPlot.Series {
  const stroke = colour(name);
  const shared = { stroke, width: 2, points: { show: isLone, size: 8, fill: stroke } };
  switch (shape) {
    case "line":
      return shared;
    case "area":
      return { ...shared, fill: `${stroke}2e` };
    case "dashes":
      return { ...shared, dash: [5, 5], width: 1.5 };
    case "bars": {
      const paths = uPlot.paths.bars?.({ size: [0.7, 48], radius: 0.15 });
      return { ...shared, fill: stroke, width: 0, points: { show: false }, ...(paths === undefined ? {} : { paths }) };
    }
    case "marks":
      return { ...shared, width: 0, points: { show: true, size: 9, fill: stroke, stroke: colour("--surface") } };
  }
}

/** From where to where a chart's values reach. */
interface ValueAxis {
  readonly low: number;
  readonly high: number;
  /** Whether all of them are zero, so that there is no scale to tell. */
  readonly isFlat: boolean;
}

/** What is left above the highest value, and below the lowest. */
const ROOM = 1.08;

/** An axis with zero on it that holds all values; what is lost stands below zero. */
export function valueAxis(values: readonly (number | null)[]): ValueAxis {
  const known = values.map((value) => value ?? 0);
  const low = known.reduce((least, value) => Math.min(least, value), 0);
  const high = known.reduce((most, value) => Math.max(most, value), 0);
  if (low === 0 && high === 0) return { low: 0, high: 1, isFlat: true };
  return { low: low * ROOM, high: high * ROOM, isFlat: false };
}
