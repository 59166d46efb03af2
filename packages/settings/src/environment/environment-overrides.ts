import type { JsonValue } from "@longhaul/conversation";
import type { Environment } from "./interpolate.ts";

/** A variable that goes before the file, and the setting that it is about. */
interface Override {
  readonly name: string;
  readonly path: string;
  /** The setting's value for one of the variable; nothing where the file's own stays. */
  read(text: string): JsonValue | undefined;
  /** Set for the operator's switches: nothing goes before them. */
  readonly isFinal?: true;
}

const asIs = (text: string) => text;
const inSmallLetters = (text: string) => text.toLowerCase();

const OVERRIDES: readonly Override[] = [
  { name: "PORT", path: "server.port", read: readNumber },
  { name: "LONGHAUL_ADMIN_HOST", path: "server.adminHost", read: asIs },
  { name: "LONGHAUL_ADMIN_TOKEN", path: "server.adminToken", read: asIs },
  { name: "LOG_LEVEL", path: "log.level", read: inSmallLetters },
  { name: "LONGHAUL_STORE", path: "store.path", read: asIs },
  { name: "LONGHAUL_DATABASE_URL", path: "store.url", read: asIs },
  {
    name: "DISABLE_CONTEXT_COMPRESSION",
    path: "context.mode",
    read: (text) => (isSwitchedOn(text) ? "off" : undefined),
    isFinal: true,
  },
  { name: "CONTEXT_COMPRESSION_STRATEGY", path: "context.strategy", read: inSmallLetters },
  { name: "CONTEXT_PRESERVE_START_PERCENT", path: "context.strategies.middle-out.startShare", read: readPercent },
  {
    name: "COMPACTION_ENABLED",
    path: "compaction.enabled",
    read: (text) => (isSwitchedOff(text) ? false : undefined),
    isFinal: true,
  },
  { name: "COMPACTION_TRIGGER_TOKENS", path: "compaction.triggerTokens", read: readNumber },
  { name: "REASONING_EFFORT", path: "reasoning.effort", read: inSmallLetters },
  { name: "REASONING_MAX_TOKENS", path: "reasoning.maxTokens", read: readNumber },
  { name: "REASONING_EXCLUDE", path: "reasoning.exclude", read: readSwitch },
  { name: "OTEL_EXPORTER_OTLP_ENDPOINT", path: "telemetry.otlpEndpoint", read: asIs },
  { name: "OTEL_EXPORTER_OTLP_HEADERS", path: "telemetry.otlpHeaders", read: readHeaders },
  { name: "OTEL_SERVICE_NAME", path: "telemetry.serviceName", read: asIs },
];

/** What one variable says. */
export interface EnvironmentEntry {
  readonly path: string;
  readonly value: JsonValue;
  readonly variable: string;
  /** Whether it is a switch of the operator's that nothing goes before. */
  readonly isFinal: boolean;
}

/** What the environment says to single settings. A variable that is set but empty counts as not set. */
export function environmentEntries(environment: Environment): EnvironmentEntry[] {
  return OVERRIDES.flatMap(({ name, path, read, isFinal = false }) => {
    const text = environment[name]?.trim();
    const value = text ? read(text) : undefined;
    return value === undefined ? [] : [{ path, value, variable: name, isFinal }];
  });
}

/** The variable that sets a setting, or a part of its value. */
export function variableOf(path: string): string | undefined {
  return OVERRIDES.find((override) => override.path === path || override.path.startsWith(`${path}.`))?.name;
}

/** Whether the operator has switched context management off for good; no stored setting undoes that. */
export function isContextDisabled({ DISABLE_CONTEXT_COMPRESSION: text = "" }: Environment): boolean {
  return isSwitchedOn(text.trim());
}

function isSwitchedOn(text: string): boolean {
  return /^(?:true|1)$/i.test(text);
}

function isSwitchedOff(text: string): boolean {
  return /^(?:false|0)$/i.test(text);
}

/** What is neither stays as it is, so that the schema refuses it by name. */
function readSwitch(text: string): JsonValue {
  if (isSwitchedOff(text)) return false;
  return isSwitchedOn(text) ? true : text;
}

/** What is no number stays as it is, so that the schema refuses it by name. */
function readNumber(text: string): JsonValue {
  const number = Number(text);
  return Number.isNaN(number) ? text : number;
}

/** OpenTelemetry spells headers like W3C baggage: `name=value` with commas between, values percent-encoded. */
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
