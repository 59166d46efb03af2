import { isJsonObject, type JsonObject, tryParseJson } from "@longhaul/conversation/advanced";
import { formatCount } from "@longhaul/models/format";
import { type Style, styleOf, withoutControls } from "../terminal/output.ts";
import type { Terminal } from "../terminal/terminal.ts";

/** Returns a function that writes the gateway's log: one readable line per entry on a terminal, JSON otherwise. */
export function logWriter(terminal: Pick<Terminal, "write" | "hasColours" | "columns">): (line: string) => void {
  if (!Number.isFinite(terminal.columns)) return terminal.write;
  const style = styleOf(terminal);
  return (line) => terminal.write(readableLine(line, style));
}

/** Formats one entry: time, message, and its fields with their units. Anything but an entry is returned unchanged. */
export function readableLine(line: string, style: Style): string {
  const entry = tryParseJson(line);
  if (!isJsonObject(entry)) return line;
  const { time, level, msg, stack, ...fields } = entry;
  const clock = withoutControls(String(time ?? "").slice("2026-01-01T".length, "2026-01-01T00:00:00".length));
  const text = withoutControls(String(msg ?? ""));
  const said = Number(level) >= WARN ? style.bad(text) : text;
  // Requests and upstreams choose some of these texts.
  const rest = Object.entries(fields).flatMap(([name, value]) => fieldOf(name, value).map(withoutControls));
  const trace = typeof stack === "string" ? `\n${stack.split("\n").map(withoutControls).join("\n")}` : "";
  return `${style.dim(clock)} ${[said, ...rest].join(style.dim(" · "))}${trace}\n`;
}

/** The number of pino's level `warn`. */
const WARN = 40;

function fieldOf(name: string, value: JsonObject[string] | undefined): string[] {
  if (value === undefined || value === null || name === "id" || name === "action") return [];
  if (name === "model" || name === "upstream" || name === "strategy" || name === "status") return [String(value)];
  if (name.endsWith("Ms") || name === "ms") return [`${label(name, "Ms") || "took"} ${formatSeconds(Number(value))}`];
  if (name.endsWith("Tokens")) return [`${label(name, "Tokens")} ${formatCount(Number(value))}`];
  if (name.endsWith("Usd")) return [`${label(name, "Usd")} $${Number(value).toFixed(4)}`];
  if (name === "condensed" && isJsonObject(value)) return [describeCondensed(value)];
  if (name === "writer") return [`by ${describeWriter(value)}`];
  if (name === "failures" && Array.isArray(value)) return value.map(describeFailure);
  return [`${label(name, "")} ${textOf(value)}`];
}

/** A request that was sent with fewer tokens than it had. */
function describeCondensed({ originalTokens, sentTokens, strategy, origin, isDeduplicated }: JsonObject): string {
  const how = isDeduplicated === true ? "repeats sent as references" : `condensed with ${String(strategy)}`;
  const when = origin === "reused" && isDeduplicated !== true ? " earlier" : "";
  return `${how}${when}: ${formatCount(Number(originalTokens))} → ${formatCount(Number(sentTokens))} tokens`;
}

function describeWriter(writer: JsonObject[string]): string {
  if (!isJsonObject(writer)) return textOf(writer);
  const { model, profile, kind, form } = writer;
  const name = String(model ?? profile ?? kind);
  return form === "compaction" ? `${name} (compaction)` : name;
}

function describeFailure(failure: JsonObject[string]): string {
  if (!isJsonObject(failure)) return textOf(failure);
  return `${describeWriter(failure.writer ?? "")} failed: ${textOf(failure.why ?? "")}`;
}

/** Writes a value without the marks of JSON. */
function textOf(value: JsonObject[string]): string {
  if (Array.isArray(value)) return value.map(textOf).join(", ");
  if (!isJsonObject(value)) return String(value);
  const fields = Object.entries(value).flatMap(([name, inner]) => fieldOf(name, inner));
  return fields.join(", ");
}

/** Returns a field's name in words, without its unit. */
function label(name: string, unit: string): string {
  const words = name === "ms" ? "" : name.slice(0, name.length - unit.length);
  return words.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

function formatSeconds(ms: number): string {
  return ms < 1_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`;
}
