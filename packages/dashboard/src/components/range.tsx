import { useState } from "preact/hooks";
import { common } from "../strings/common.ts";
import { Button } from "./button.tsx";
import { InputField, Segments } from "./controls.tsx";

const HOUR_MS = 3_600_000;

const PERIODS = { hour: 1, day: 24, week: 7 * 24, month: 30 * 24 } as const;

type Period = keyof typeof PERIODS;

/** A time range as a page's address has it: a period up to now, or two absolute times. */
export interface Range {
  readonly period: Period | "custom" | "all";
  readonly sinceMs?: number;
  readonly untilMs?: number;
}

type Query = Readonly<Record<string, string>>;

/** Reads the range in an address. A period starts at a full hour, so that the address of a query changes only once an hour. */
export function rangeIn({ period, from = "", to = "" }: Query, fallback: Period | "all", nowMs: number): Range {
  const [sinceMs, untilMs] = [Date.parse(from), Date.parse(to)];
  if (!Number.isNaN(sinceMs) || !Number.isNaN(untilMs))
    return {
      period: "custom",
      ...(!Number.isNaN(sinceMs) && { sinceMs }),
      ...(!Number.isNaN(untilMs) && { untilMs }),
    };
  const name = isPeriod(period) ? period : fallback;
  if (name === "all") return { period: "all" };
  return { period: name, sinceMs: (Math.floor(nowMs / HOUR_MS) + 1 - PERIODS[name]) * HOUR_MS };
}

function isPeriod(name: string | undefined): name is Period {
  return name !== undefined && Object.hasOwn(PERIODS, name);
}

/** Returns the part of an address that has a range. Absolute times are in UTC, so that the address means the same everywhere. */
export function rangeQuery({ period, sinceMs, untilMs }: Range): Query {
  if (period === "all") return {};
  if (period !== "custom") return { period };
  return { ...(sinceMs !== undefined && { from: iso(sinceMs) }), ...(untilMs !== undefined && { to: iso(untilMs) }) };
}

/** Returns a range as the admin API has it. */
export function rangeFilter({ sinceMs, untilMs }: Range): Query {
  return {
    ...(sinceMs !== undefined && { sinceMs: String(sinceMs) }),
    ...(untilMs !== undefined && { untilMs: String(untilMs) }),
  };
}

function iso(ms: number): string {
  return new Date(ms).toISOString().replace(/:\d\d\.\d+Z$/, "Z");
}

interface RangeChoiceProps {
  readonly range: Range;
  /** Whether all times can be chosen. */
  readonly hasAll?: boolean;
  readonly onChoose: (query: Query) => void;
}

export function RangeChoice({ range, hasAll = false, onChoose }: RangeChoiceProps) {
  const [isOpen, setOpen] = useState(range.period === "custom");
  const { periods } = common.range;
  const names = [...(hasAll ? (["all"] as const) : []), ...PERIOD_NAMES, "custom" as const];
  const shown = isOpen ? "custom" : range.period;
  return (
    <div class="range">
      <Segments
        label={common.range.label}
        options={names.map((name) => [name, periods[name]] as const)}
        value={shown}
        onChoose={(name) => {
          setOpen(name === "custom");
          if (name !== "custom") onChoose(name === "all" ? {} : { period: name });
        }}
      />
      {isOpen ? <Absolute range={range} onChoose={onChoose} /> : null}
    </div>
  );
}

const PERIOD_NAMES = ["hour", "day", "week", "month"] as const;

function Absolute({ range, onChoose }: Pick<RangeChoiceProps, "range" | "onChoose">) {
  const [from, setFrom] = useState(range.sinceMs === undefined ? "" : localTime(range.sinceMs));
  const [to, setTo] = useState(range.untilMs === undefined ? "" : localTime(range.untilMs));
  const submit = (event: Event) => {
    event.preventDefault();
    const [sinceMs, untilMs] = [new Date(from).getTime(), new Date(to).getTime()];
    const given = {
      ...(!Number.isNaN(sinceMs) && { sinceMs }),
      ...(!Number.isNaN(untilMs) && { untilMs }),
    };
    onChoose(rangeQuery({ period: "custom", ...given }));
  };
  return (
    <form class="row" onSubmit={submit}>
      <InputField label={common.range.from} type="datetime-local" value={from} onText={setFrom} />
      <InputField label={common.range.to} type="datetime-local" value={to} onText={setTo} />
      <Button label={common.range.show} type="submit" />
    </form>
  );
}

/** Writes a time as an input field for local times does. */
function localTime(ms: number): string {
  const local = new Date(ms - new Date(ms).getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16);
}
