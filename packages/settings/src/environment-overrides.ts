import { isJsonObject, type JsonObject, type JsonValue } from "@longhaul/conversation";
import type { Environment } from "./interpolate.ts";

/** A variable that goes before the file, and where its value stands there. */
interface Override {
  readonly name: string;
  readonly path: readonly [section: string, ...rest: string[]];
  /** What stands in the file for a value of the variable; nothing where the file's own stays. */
  read(text: string): JsonValue | undefined;
}

const OVERRIDES: readonly Override[] = [
  { name: "LOG_LEVEL", path: ["log", "level"], read: (text) => text.toLowerCase() },
  { name: "LONGHAUL_STORE", path: ["store", "path"], read: (text) => text },
  { name: "LONGHAUL_DATABASE_URL", path: ["store", "url"], read: (text) => text },
  { name: "CONTEXT_COMPRESSION_STRATEGY", path: ["context", "strategy"], read: (text) => text.toLowerCase() },
  {
    name: "COMPACTION_ENABLED",
    path: ["compaction", "enabled"],
    read: (text) => (isSwitchedOff(text) ? false : undefined),
  },
  { name: "COMPACTION_TRIGGER_TOKENS", path: ["compaction", "triggerTokens"], read: readNumber },
  { name: "REASONING_EFFORT", path: ["reasoning", "effort"], read: (text) => text.toLowerCase() },
  { name: "REASONING_MAX_TOKENS", path: ["reasoning", "maxTokens"], read: readNumber },
  { name: "REASONING_EXCLUDE", path: ["reasoning", "exclude"], read: readSwitch },
  { name: "OTEL_EXPORTER_OTLP_ENDPOINT", path: ["telemetry", "otlpEndpoint"], read: (text) => text },
  { name: "OTEL_EXPORTER_OTLP_HEADERS", path: ["telemetry", "otlpHeaders"], read: readHeaders },
  { name: "OTEL_SERVICE_NAME", path: ["telemetry", "serviceName"], read: (text) => text },
];

/** Lays the variables that go before the file over a configuration as it stands in one. */
export function withEnvironment(value: unknown, environment: Environment): unknown {
  if (!isJsonObject(value)) return value ?? withEnvironment({}, environment);
  const laid = OVERRIDES.reduce<JsonObject>((config, { name, path, read }) => {
    const text = environment[name]?.trim();
    const found = text ? read(text) : undefined;
    return found === undefined ? config : withField(config, path, found);
  }, value);
  return withStartPercent(withoutForeignConfig(laid, value), environment.CONTEXT_PRESERVE_START_PERCENT?.trim());
}

/** What the file says to its own strategy means nothing to another one. */
function withoutForeignConfig(config: JsonObject, file: JsonObject): JsonObject {
  const before = isJsonObject(file.context) ? file.context : {};
  const after = isJsonObject(config.context) ? config.context : {};
  return before.strategy === after.strategy ? config : withField(config, ["context", "config"], {});
}

/** Whether the operator has switched context management off for good; no stored setting undoes that. */
export function isContextDisabled({ DISABLE_CONTEXT_COMPRESSION: text = "" }: Environment): boolean {
  return /^(?:true|1)$/i.test(text.trim());
}

function isSwitchedOff(text: string): boolean {
  return /^(?:false|0)$/i.test(text);
}

/** What is neither stays as it is, so that the schema refuses it by name. */
function readSwitch(text: string): JsonValue {
  if (isSwitchedOff(text)) return false;
  return /^(?:true|1)$/i.test(text) ? true : text;
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

/** The start's share belongs to middle-out: another strategy has no such setting. */
function withStartPercent(config: JsonObject, text: string | undefined): JsonObject {
  if (!text) return config;
  const { strategy = "middle-out" } = isJsonObject(config.context) ? config.context : {};
  const percent = readNumber(text);
  const share = typeof percent === "number" ? percent / 100 : percent;
  return strategy === "middle-out" ? withField(config, ["context", "config", "startShare"], share) : config;
}

function withField(object: JsonObject, [name, ...rest]: readonly string[], value: JsonValue): JsonObject {
  if (name === undefined) return object;
  const inner = object[name];
  const next = rest.length === 0 ? value : withField(isJsonObject(inner) ? inner : {}, rest, value);
  return { ...object, [name]: next };
}
