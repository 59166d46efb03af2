/** `8500` as `8,500`. `toLocaleString` would load the words of all languages for it. */
export function spellCount(count: number): string {
  return String(Math.round(count)).replaceAll(/\B(?=(?:\d{3})+$)/g, ",");
}

/** Money, with more digits where there is little of it. */
export function spellUsd(usd: number, digits: number = Math.abs(usd) < 1 ? 4 : 2): string {
  const sign = usd < 0 ? "-" : "";
  return `${sign}$${Math.abs(usd).toFixed(digits)}`;
}
