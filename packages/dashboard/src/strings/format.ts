const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Formats a count with at most four characters and a unit: `950`, `12.3K`, `1.2M`. */
export function formatCount(count: number): string {
  const size = Math.abs(count);
  if (size < 1_000) return `${Math.round(count)}`;
  if (size < 999_500) return `${shorten(count / 1_000)}K`;
  if (size < 999_500_000) return `${shorten(count / 1_000_000)}M`;
  return `${shorten(count / 1_000_000_000)}B`;
}

/** Formats a count with its noun: `1 message`, `12 messages`. */
export function plural(count: number, noun: string, nouns = `${noun}s`): string {
  return `${formatCount(count)} ${count === 1 ? noun : nouns}`;
}

/** Formats money with more digits for smaller amounts, so that a fraction of a cent is not shown as zero. */
export function formatUsd(usd: number): string {
  const sign = usd < 0 ? "−" : "";
  const size = Math.abs(usd);
  if (size === 0) return "$0";
  if (size < 0.0001) return `${sign}<$0.0001`;
  if (size < 0.1) return `${sign}$${size.toFixed(4)}`;
  if (size < 1_000) return `${sign}$${size.toFixed(2)}`;
  return `${sign}$${Math.round(size).toLocaleString("en")}`;
}

export function formatPrice(usd: number | null): string {
  return usd === null ? "unknown" : formatUsd(usd);
}

/** Formats a share between 0 and 1 as a percentage, with one decimal near 0 and 100. */
export function formatPercent(share: number): string {
  const percent = share * 100;
  if (percent > 0 && percent < 0.05) return "<0.1%";
  if (percent >= 99.95 && percent < 100) return ">99.9%";
  const isNearEdge = (percent > 0 && percent < 10) || (percent > 99 && percent < 100);
  const size = Math.abs(isNearEdge ? Number(percent.toFixed(1)) : Math.round(percent));
  return `${percent < 0 && size > 0 ? "−" : ""}${isNearEdge ? size.toFixed(1) : size}%`;
}

export function formatDuration(ms: number): string {
  if (ms < 1) return `${ms.toFixed(2)} ms`;
  if (ms < SECOND_MS) return `${shorten(ms)} ms`;
  if (ms < MINUTE_MS) return `${shorten(ms / SECOND_MS)} s`;
  if (ms < HOUR_MS) return `${Math.round(ms / MINUTE_MS)} min`;
  return `${shorten(ms / HOUR_MS)} h`;
}

export function formatAgo(atMs: number, nowMs: number): string {
  const passed = Math.max(0, nowMs - atMs);
  if (passed < 10 * SECOND_MS) return "now";
  if (passed < MINUTE_MS) return `${Math.floor(passed / SECOND_MS)} s ago`;
  if (passed < HOUR_MS) return `${Math.floor(passed / MINUTE_MS)} min ago`;
  if (passed < DAY_MS) return `${Math.floor(passed / HOUR_MS)} h ago`;
  return `${Math.floor(passed / DAY_MS)} d ago`;
}

export function formatTime(atMs: number): string {
  return new Date(atMs).toLocaleTimeString("en", { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
}

/** Formats a day, by default in the reader's time zone. Daily totals are UTC days. */
export function formatDay(atMs: number, timeZone?: "UTC"): string {
  return new Date(atMs).toLocaleDateString("en", { month: "short", day: "numeric", ...(timeZone && { timeZone }) });
}

/** Formats a day with its year and weekday, in the reader's time zone. */
export function formatDate(atMs: number): string {
  return new Date(atMs).toLocaleDateString("en", { weekday: "short", year: "numeric", month: "short", day: "numeric" });
}

/** Formats a day and a time in the reader's time zone. */
export function formatDateTime(atMs: number): string {
  return `${formatDay(atMs)}, ${formatTime(atMs)}`;
}

function shorten(value: number): string {
  const text = Math.abs(value) < 99.95 ? value.toFixed(1) : value.toFixed(0);
  return text.replace(/\.0$/, "");
}

const SPELLINGS: ReadonlyMap<string, string> = new Map([
  ...["api", "id", "json", "otlp", "url", "usd"].map((word) => [word, word.toUpperCase()] as const),
  ...["Anthropic", "Bedrock", "Gemini", "OpenAI", "OpenRouter", "Vertex"].map(
    (name) => [name.toLowerCase(), name] as const,
  ),
  ["mi b", "MiB"],
]);

const UNIT = /(?<=\w) (seconds|days|percent|MiB)$/;

/** Turns a setting's name into a label: `baseUrl` becomes `Base URL`, `idleSeconds` becomes `Idle (seconds)`. */
export function toLabel(name: string): string {
  const spaced = name
    .replace(/([a-z\d])([A-Z])/g, "$1 $2")
    .replace(/[_-]+/g, " ")
    .toLowerCase();
  const label = spaced.replace(/\b(?:mi b|[a-z]+)\b/g, (word) => SPELLINGS.get(word) ?? word);
  return (label.charAt(0).toUpperCase() + label.slice(1)).replace(UNIT, " ($1)");
}
