import { checkValue, isJsonObject } from "@longhaul/conversation";
import { type Environment, type Interpolated, interpolate } from "../environment/interpolate.ts";
import { configSchema } from "../schema/config.ts";
import { migrateConfig } from "../schema/migrate-config.ts";
import { type Path, valueAt, withValue } from "../schema/path.ts";

/** A file's content, ready to be laid over. */
export interface FileLayer extends Interpolated {
  /** What was read otherwise than it is written, because the file is of an earlier version. */
  readonly changes: readonly string[];
}

/** Fills in a file's variables and reads it with today's keys. */
export function readFile(file: unknown, environment: Environment): FileLayer {
  const { value: written, changes } = migrateConfig(withoutSchema(file ?? {}));
  const { value, missing } = interpolate(written, environment);
  return { value: respelled(value, written), missing, changes };
}

/** JSON files name their schema in themselves, for editors. */
function withoutSchema(file: unknown): unknown {
  if (!isJsonObject(file)) return file;
  const { $schema: _, ...config } = file;
  return config;
}

/** A variable is always a text; where a number or a yes or no is wanted and it spells one, that is what it means. */
function respelled(filled: unknown, written: unknown): unknown {
  const issues = checkValue(configSchema, filled).error?.issues ?? [];
  return issues
    .filter(({ code, path }) => TYPE_FAULTS.has(code ?? "") && holdsVariable(written, path))
    .reduce((value, { path }) => withValue(value, path, spelled(valueAt(value, path))), filled);
}

const TYPE_FAULTS = new Set(["invalid_type", "invalid_union"]);

function holdsVariable(written: unknown, path: Path): boolean {
  const value = valueAt(written, path);
  return typeof value === "string" && value.includes("${");
}

function spelled(value: unknown): unknown {
  if (value === "true" || value === "false") return value === "true";
  return typeof value === "string" && /^-?\d+(?:\.\d+)?$/.test(value) ? Number(value) : value;
}
