const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

export function startOfMinute(atMs: number): number {
  return Math.floor(atMs / MINUTE_MS) * MINUTE_MS;
}

export function startOfHour(atMs: number): number {
  return Math.floor(atMs / HOUR_MS) * HOUR_MS;
}

export function startOfDay(atMs: number): number {
  return Math.floor(atMs / DAY_MS) * DAY_MS;
}

/** Returns the start of the month, or of a later one. */
export function startOfMonth(atMs: number, monthsLater = 0): number {
  const date = new Date(atMs);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + monthsLater);
}
