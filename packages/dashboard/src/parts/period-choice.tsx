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
  return (
    <fieldset class="segments">
      <legend class="hidden-visually">Period</legend>
      {PERIODS.map((period) => (
        <label key={period.name}>
          <input type="radio" name="period" checked={period === value} onChange={() => onChoose(period)} />
          <span>{period.words}</span>
        </label>
      ))}
    </fieldset>
  );
}
