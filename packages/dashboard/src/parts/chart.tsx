import "uplot/dist/uPlot.min.css";
import { useEffect, useRef } from "preact/hooks";
import uPlot from "uplot";

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
  /** Milliseconds, or positions where `isTime` is false. */
  readonly at: readonly number[];
  readonly series: readonly Series[];
  readonly spell: (value: number) => string;
  readonly isTime?: boolean;
  readonly height?: number;
}

/** Lines or bars over time. */
export function Chart({ title, at, series, spell, isTime = true, height = 200 }: ChartProps) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = place.current;
    if (element === null) return undefined;
    const drawn = () => draw(element, { title, at, series, spell, isTime, height });
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
  }, [title, at, series, spell, isTime, height]);
  return <div class="chart" role="img" aria-label={`${title}: ${inOneSentence(series, spell)}`} ref={place} />;
}

function inOneSentence(series: readonly Series[], spell: (value: number) => string): string {
  return series
    .map(({ name, values }) => {
      const last = values.findLast((value) => value !== null);
      return `${name}, lately ${last === null || last === undefined ? "nothing" : spell(last)}`;
    })
    .join("; ");
}

function draw(element: HTMLElement, props: Required<ChartProps>): uPlot {
  const { at, series, spell, isTime, height } = props;
  const style = getComputedStyle(document.documentElement);
  const colour = (name: string) => style.getPropertyValue(name).trim();
  const axis = { stroke: colour("--text-soft"), grid: { stroke: colour("--line"), width: 1 }, ticks: { show: false } };
  const font = `12px ${style.getPropertyValue("--font").trim()}`;
  const options: uPlot.Options = {
    width: element.clientWidth,
    height,
    padding: [8, 12, 0, 0],
    cursor: { drag: { x: false, y: false }, points: { size: 7 } },
    legend: { live: true },
    scales: { x: { time: isTime }, y: { range: (_plot, _min, max) => [0, Math.max(max * 1.08, 1e-9)] } },
    axes: [
      { ...axis, font, size: 30, grid: { show: false } },
      { ...axis, font, size: 58, values: (_plot, splits) => splits.map(spell) },
    ],
    series: [
      isTime ? {} : { value: (_plot, value) => (value === null ? "" : `${value}`), label: "Turn" },
      ...series.map((one) => seriesOptions(one, colour, spell)),
    ],
  };
  const times = isTime ? at.map((ms) => ms / 1_000) : [...at];
  return new uPlot(options, [times, ...series.map(({ values }) => [...values])], element);
}

function seriesOptions(
  { name, colour: colourName, shape = "line" }: Series,
  colour: (name: string) => string,
  spell: (value: number) => string,
): uPlot.Series {
  const stroke = colour(colourName);
  const shared = {
    label: name,
    stroke,
    width: 2,
    points: { show: false },
    value: (_plot: uPlot, value: number | null) => (value === null ? "–" : spell(value)),
  };
  switch (shape) {
    case "line":
      return shared;
    case "area":
      return { ...shared, fill: `${stroke}2e` };
    case "dashes":
      return { ...shared, dash: [5, 5], width: 1.5 };
    case "bars": {
      const paths = uPlot.paths.bars?.({ size: [0.7, 48], radius: 0.15 });
      return { ...shared, fill: stroke, width: 0, ...(paths === undefined ? {} : { paths }) };
    }
    case "marks":
      return { ...shared, width: 0, points: { show: true, size: 9, fill: stroke, stroke: colour("--surface") } };
  }
}
