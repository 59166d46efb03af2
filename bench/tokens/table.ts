/** Prints rows under their headings, numbers to the right. */
export function printTable(title: string, headings: readonly string[], rows: readonly (readonly string[])[]): void {
  const widths = headings.map((heading, column) => Math.max(heading.length, ...rows.map((row) => row[column]!.length)));
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!)))
      .join("  ");
  console.log(`\n${title}\n`);
  console.log(line(headings));
  console.log(widths.map((width) => "-".repeat(width)).join("  "));
  for (const row of rows) console.log(line(row));
}

/** The middle one of some numbers, or the one at another share of them. */
export function quantile(numbers: readonly number[], share = 0.5): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}

/** A share as a percentage. */
export function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}

/**
 * The processor time that something takes, in milliseconds: on an idle machine the time that passes, on a busy one less. The clock ticks
 * about once in a millisecond, so what is short must be run many times over.
 */
export function timeMs(run: () => void): number {
  const before = process.threadCpuUsage();
  run();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}
