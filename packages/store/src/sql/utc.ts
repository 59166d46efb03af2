const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** When the minute of a time began. */
export function startOfMinute(atMs: number): number {
  return Math.floor(atMs / MINUTE_MS) * MINUTE_MS;
}

/** When the hour of a time began. */
export function startOfHour(atMs: number): number {
  return Math.floor(atMs / HOUR_MS) * HOUR_MS;
}

/** When the day of a time began, in UTC. */
export function startOfDay(atMs: number): number {
  return Math.floor(atMs / DAY_MS) * DAY_MS;
}

/** When the month of a time began, or a later one, in UTC. */
export function startOfMonth(atMs: number, monthsLater = 0): number {
  const date = new Date(atMs);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + monthsLater);
}
