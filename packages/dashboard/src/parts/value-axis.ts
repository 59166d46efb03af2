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
