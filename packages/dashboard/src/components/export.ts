type Row = object;

/** Writes rows as CSV, with a column for each field of any row. */
export function toCsv(rows: readonly Row[]): string {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const lines = rows.map((row) => {
    const values = new Map<string, unknown>(Object.entries(row));
    return names.map((name) => toCell(values.get(name))).join(",");
  });
  return [names.map(toCell).join(","), ...lines, ""].join("\r\n");
}

/** Spreadsheets run a text that begins with one of these as a formula. */
const FORMULA = /^[=+\-@\t\r]/;

function toCell(value: unknown): string {
  if (value === undefined || value === null) return "";
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  const text = typeof value === "string" ? value : JSON.stringify(value);
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Makes a file name from a table's label. */
export function toFileName(label: string, ending: string): string {
  return `longhaul-${label.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "-")}.${ending}`;
}
