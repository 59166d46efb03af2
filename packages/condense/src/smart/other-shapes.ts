import { isJsonObject, type JsonObject, type JsonValue } from "@longhaul/conversation";

/**
 * Converts a configuration in the shapes of Roo Code's condensation system to our own: an operation by its name alone (`"keep"`), its
 * parameters one level down (`params: { truncate: { maxLines: 5 } }`), `apiProfile` and `customPrompt` for a summary's profile and prompt.
 * Anything else is returned unchanged, for the schema to check.
 */
export function readSmartConfig(config: unknown): unknown {
  if (!isJsonObject(config) || !Array.isArray(config.passes)) return config;
  return { ...config, passes: config.passes.map(readPass) };
}

function readPass(pass: JsonValue): JsonValue {
  if (!isJsonObject(pass)) return pass;
  const { batchConfig, individualConfig } = pass;
  return {
    ...pass,
    ...(isJsonObject(batchConfig) && { batchConfig: inField(batchConfig, "summarizationConfig", renameSummaryKeys) }),
    ...(isJsonObject(individualConfig) && { individualConfig: readIndividual(individualConfig) }),
  };
}

function readIndividual(config: JsonObject): JsonObject {
  const { overrides } = config;
  const read = inField(config, "defaults", readOperations);
  if (!Array.isArray(overrides)) return read;
  return { ...read, overrides: overrides.map(readOverride) };
}

function readOverride(override: JsonValue): JsonValue {
  return isJsonObject(override) ? inField(override, "operations", readOperations) : override;
}

function inField(value: JsonObject, field: string, read: (inner: JsonObject) => JsonObject): JsonObject {
  const inner = Object.hasOwn(value, field) ? value[field] : undefined;
  return isJsonObject(inner) ? { ...value, [field]: read(inner) } : value;
}

function readOperations(operations: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(operations).map(([level, operation]) => [level, readOperation(operation)]));
}

function readOperation(value: JsonValue): JsonValue {
  if (typeof value === "string") return { operation: value };
  if (!isJsonObject(value) || typeof value.operation !== "string") return value;
  const flat = withParams(value);
  return value.operation === "summarize" ? renameSummaryKeys(flat) : withoutEllipsis(flat);
}

/** Parameters of operations other than the chosen one have no effect. */
function withParams(value: JsonObject): JsonObject {
  const { params, ...rest } = value;
  if (!isJsonObject(params) || Object.keys(params).some((name) => !HAS_PARAMETERS.has(name))) return value;
  const own = value.operation === "truncate" ? params.truncate : params.summarize;
  const isUsed = typeof value.operation === "string" && HAS_PARAMETERS.has(value.operation);
  return isUsed && isJsonObject(own) ? { ...rest, ...own } : rest;
}

const HAS_PARAMETERS: ReadonlySet<string> = new Set(["truncate", "summarize"]);

/** `addEllipsis` has no effect: truncated text always has a mark, so that a model knows that something is missing. */
function withoutEllipsis(value: JsonObject): JsonObject {
  const { addEllipsis, ...rest } = value;
  return value.operation === "truncate" && typeof addEllipsis === "boolean" ? rest : value;
}

const SUMMARY_KEYS: ReadonlyMap<string, string> = new Map([
  ["apiProfile", "profile"],
  ["customPrompt", "prompt"],
]);

/** Renames keys, unless the object has both names: then the schema rejects the unknown one. */
function renameSummaryKeys(value: JsonObject): JsonObject {
  const entries = Object.entries(value).map(([key, entry]): [string, JsonValue] => {
    const name = SUMMARY_KEYS.get(key);
    return [name === undefined || Object.hasOwn(value, name) ? key : name, entry];
  });
  return Object.fromEntries(entries);
}
