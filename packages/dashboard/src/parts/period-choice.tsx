import { Segments } from "./choice.tsx";

/** How far back one looks. */
export const PERIODS = [
  { name: "hour", words: "This hour", hours: 1 },
  { name: "day", words: "24 hours", hours: 24 },
  { name: "week", words: "7 days", hours: 7 * 24 },
  { name: "month", words: "30 days", hours: 30 * 24 },
] as const;

/** One of the periods. */
export type Period = (typeof PERIODS)[number];

interface PeriodChoiceProps {
  readonly value: Period;
  readonly onChoose: (period: Period) => void;
}

/** Chooses how far back one looks. */
export function PeriodChoice({ value, onChoose }: PeriodChoiceProps) {
  const choose = (name: Period["name"]) => onChoose(PERIODS.find((period) => period.name === name) ?? value);
  return <Segments label="Period" options={OPTIONS} value={value.name} onChoose={choose} />;
}

const OPTIONS = PERIODS.map(({ name, words }) => [name, words] as const);
