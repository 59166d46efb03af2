import { isJsonObject, LonghaulError } from "@longhaul/conversation";
import { type Config, configSchema } from "./config.ts";
import { type Environment, interpolate } from "./interpolate.ts";
import { missingSettings } from "./missing-settings.ts";

/** Reads a configuration as it stands in a file. Throws `settings.invalid` naming every bad key and every variable that is not set. */
export function parseConfig(value: unknown, environment: Environment): Config {
  const { value: filled, missing } = interpolate(value, environment);
  const parsed = safeParse(withoutSchema(filled ?? {}), value);
  // What a variable would have been is not judged where it is not set.
  const absent = new Set(missing.map(({ path }) => path));
  const issues = (parsed.error?.issues ?? []).filter(({ path }) => !absent.has(path.join(".")));
  const faults = [
    ...missing.map(
      ({ path, name }) => `${path}: the variable ${name} is not set; set it or write \${${name}:-default}`,
    ),
    ...issues.map((issue) => `${issue.path.join(".") || "the file"}: ${issue.message}`),
    ...(parsed.success ? missingSettings(parsed.data) : []),
  ];
  if (parsed.success && faults.length === 0) return parsed.data;
  const count = faults.length === 1 ? "1 fault" : `${faults.length} faults`;
  const list = faults.map((fault) => `  - ${fault}`).join("\n");
  throw new LonghaulError("settings.invalid", `the configuration has ${count}:\n${list}`);
}

/** JSON files name their schema in themselves, for editors. */
function withoutSchema(filled: unknown): unknown {
  if (!isJsonObject(filled)) return filled;
  const { $schema: _, ...config } = filled;
  return config;
}

type Parsed = ReturnType<typeof configSchema.safeParse>;

/** A variable is always a text; where a number or a yes or no is wanted and it spells one, that is what it means. */
function safeParse(filled: unknown, written: unknown): Parsed {
  const parsed = configSchema.safeParse(filled);
  const wrong = (parsed.error?.issues ?? []).filter(
    ({ code, path }) => TYPE_FAULTS.has(code ?? "") && isFilled(written, path),
  );
  if (wrong.length === 0) return parsed;
  return configSchema.safeParse(wrong.reduce((value, { path }) => changeAt(value, path, spelled), filled));
}

const TYPE_FAULTS = new Set(["invalid_type", "invalid_union"]);

type Path = readonly PropertyKey[];

/** Whether a variable stands at this place of the file. */
function isFilled(written: unknown, path: Path): boolean {
  const value = path.reduce(valueAt, written);
  return typeof value === "string" && value.includes("${");
}

function valueAt(value: unknown, key: PropertyKey): unknown {
  if (isList(value)) return value[Number(key)];
  return isJsonObject(value) ? value[String(key)] : undefined;
}

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

function changeAt(value: unknown, [key, ...rest]: Path, change: (value: unknown) => unknown): unknown {
  if (key === undefined) return change(value);
  const changed = changeAt(valueAt(value, key), rest, change);
  if (isList(value)) return value.with(Number(key), changed);
  return isJsonObject(value) ? { ...value, [key]: changed } : value;
}

function spelled(value: unknown): unknown {
  if (value === "true" || value === "false") return value === "true";
  return typeof value === "string" && /^-?\d+(?:\.\d+)?$/.test(value) ? Number(value) : value;
}
