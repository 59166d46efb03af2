import type { JsonValue } from "@longhaul/conversation";
import type { Environment } from "./interpolate.ts";

interface Override {
  readonly name: string;
  readonly path: string;
  /** Returns the setting's value, or undefined if the variable does not override it. */
  read(text: string): JsonValue | undefined;
  /** Set for the operator's switches, which nothing overrides. */
  readonly isFinal?: true;
}

const unchanged = (text: string) => text;
const lowerCase = (text: string) => text.toLowerCase();

const OVERRIDES: readonly Override[] = [
  { name: "PORT", path: "server.port", read: readNumber },
  { name: "LONGHAUL_ADMIN_HOST", path: "server.adminHost", read: unchanged },
  { name: "LONGHAUL_ADMIN_TOKEN", path: "server.adminToken", read: unchanged },
  { name: "LOG_LEVEL", path: "log.level", read: lowerCase },
  { name: "LONGHAUL_STORE", path: "store.path", read: unchanged },
  { name: "LONGHAUL_DATABASE_URL", path: "store.url", read: unchanged },
  {
    name: "DISABLE_CONTEXT_COMPRESSION",
    path: "context.mode",
    read: (text) => (readBoolean(text) === true ? "off" : undefined),
    isFinal: true,
  },
  { name: "CONTEXT_COMPRESSION_STRATEGY", path: "context.strategy", read: lowerCase },
  { name: "CONTEXT_PRESERVE_START_PERCENT", path: "context.strategies.middle-out.startShare", read: readPercent },
  {
    name: "COMPACTION_ENABLED",
    path: "compaction.enabled",
    read: (text) => (readBoolean(text) === false ? false : undefined),
    isFinal: true,
  },
  { name: "COMPACTION_TRIGGER_TOKENS", path: "compaction.triggerTokens", read: readNumber },
  { name: "REASONING_EFFORT", path: "reasoning.effort", read: lowerCase },
  { name: "REASONING_MAX_TOKENS", path: "reasoning.maxTokens", read: readNumber },
  { name: "REASONING_EXCLUDE", path: "reasoning.exclude", read: readBoolean },
  { name: "LONGHAUL_ALERT_WEBHOOK", path: "alerts.webhook", read: unchanged },
  { name: "LONGHAUL_ALERT_WEBHOOK_SECRET", path: "alerts.webhookSecret", read: unchanged },
  { name: "OTEL_EXPORTER_OTLP_ENDPOINT", path: "telemetry.otlpEndpoint", read: unchanged },
  { name: "OTEL_EXPORTER_OTLP_HEADERS", path: "telemetry.otlpHeaders", read: readHeaders },
  { name: "OTEL_SERVICE_NAME", path: "telemetry.serviceName", read: unchanged },
];

export interface EnvironmentEntry {
  readonly path: string;
  readonly value: JsonValue;
  readonly variable: string;
  /** Whether it is an operator's switch, which nothing overrides. */
  readonly isFinal: boolean;
}

/** Returns the settings that environment variables override. An empty variable counts as not set. */
export function environmentEntries(environment: Environment): EnvironmentEntry[] {
  return OVERRIDES.flatMap(({ name, path, read, isFinal = false }) => {
    const text = environment[name]?.trim();
    const value = text ? read(text) : undefined;
    return value === undefined ? [] : [{ path, value, variable: name, isFinal }];
  });
}

export function variableOf(path: string): string | undefined {
  return OVERRIDES.find((override) => override.path === path || override.path.startsWith(`${path}.`))?.name;
}

/** Returns whether the operator has turned condensing off. Stored settings cannot undo that. */
export function isContextDisabled({ DISABLE_CONTEXT_COMPRESSION: text = "" }: Environment): boolean {
  return readBoolean(text.trim()) === true;
}

/** Returns a warning for each operator's switch that has no effect, because its value is neither true nor false. */
export function switchWarnings(environment: Environment): readonly string[] {
  return OVERRIDES.flatMap(({ name, isFinal }) => {
    const text = environment[name]?.trim();
    if (!isFinal || !text || typeof readBoolean(text) === "boolean") return [];
    return [`${name} is "${text}" and has no effect; use ${BOOLEAN_TEXTS}`];
  });
}

export const BOOLEAN_TEXTS = "true, yes, on or 1, or false, no, off or 0";

const TRUE = /^(?:true|yes|on|1)$/i;
const FALSE = /^(?:false|no|off|0)$/i;

/** Parses a boolean of a variable or a header. Any other text is returned unchanged, so that the schema rejects it. */
export function readBoolean(text: string): JsonValue {
  if (FALSE.test(text)) return false;
  return TRUE.test(text) ? true : text;
}

/** Parses a number. Any other text is returned unchanged, so that the schema rejects it. */
export function readNumber(text: string): JsonValue {
  const number = Number(text);
  return Number.isNaN(number) ? text : number;
}

/** Parses headers in OpenTelemetry's format, that of W3C baggage: `name=value`, separated by commas, values percent-encoded. */
function readHeaders(text: string): JsonValue {
  const pairs = text.split(",").map((pair) => pair.trim());
  if (pairs.some((pair) => !pair.includes("="))) return text;
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf("=");
      return [pair.slice(0, at).trim(), decoded(pair.slice(at + 1).trim())];
    }),
  );
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

function readPercent(text: string): JsonValue {
  const percent = readNumber(text);
  return typeof percent === "number" ? percent / 100 : percent;
}
