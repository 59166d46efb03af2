/** What stands behind the `=` in a line of an `.env`, without quotes and comment. */
export function envValue(written: string): string {
  const value = written.trim();
  return /^(["'])(.*?)\1(?:\s+#.*)?$/.exec(value)?.[2] ?? value.replace(/\s+#.*$/, "");
}
