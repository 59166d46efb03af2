/** Formats `8500` as `8,500`. `toLocaleString` would load the locale data of every language. */
export function formatCount(count: number): string {
  return String(Math.round(count)).replaceAll(/\B(?=(?:\d{3})+$)/g, ",");
}

/** Formats an amount in US dollars: four decimals below $1, two from there on, none for zero. An amount that would round to zero is shown as less than the smallest one. */
export function formatUsd(usd: number, digits: number = Math.abs(usd) < 1 ? 4 : 2): string {
  if (usd === 0) return "$0";
  const sign = usd < 0 ? "-" : "";
  const least = 10 ** -digits;
  if (Math.abs(usd) < least / 2) return `${sign}<$${least.toFixed(digits)}`;
  return `${sign}$${Math.abs(usd).toFixed(digits)}`;
}
