import type { Model } from "@longhaul/models/catalog";
import { ensure } from "../core/api.ts";
import { isGiven, type JsonObject, numberIn, objectIn, textIn } from "../core/json.ts";

/** Rejects a request without a required parameter. */
export function requireParameter(isPresent: boolean, param: string): asserts isPresent {
  ensure(isPresent, `Missing required parameter: '${param}'.`, { param, code: "missing_required_parameter" });
}

/** Rejects an unknown value. `param` is the place that the error names. */
export function checkChoice(value: unknown, known: readonly string[], param: string): void {
  const message = () => `Invalid value: '${textIn(value)}'. Supported values are: ${joinNames(known)}.`;
  ensure(known.includes(textIn(value)), message, { param, code: "invalid_value" });
}

/** Rejects an empty array. */
export function checkFilled(isFilled: boolean, param: string): void {
  const message = `Invalid '${param}': empty array. Expected an array with minimum length 1, but got an empty array instead.`;
  ensure(isFilled, message, { param, code: "empty_array" });
}

/** Sampling parameters and the value that every model accepts. */
const SAMPLING: Readonly<Record<string, number>> = {
  temperature: 1,
  top_p: 1,
  frequency_penalty: 0,
  presence_penalty: 0,
};

export function checkSampling(body: JsonObject, model: Model): void {
  for (const [name, fallback] of Object.entries(SAMPLING)) {
    const value = numberIn(body[name]);
    const isRejected = model.rejects.some((rejected) => rejected === name);
    if (value === undefined || !isRejected || value === fallback) continue;
    ensure(
      name !== "temperature",
      `Unsupported value: 'temperature' does not support ${value} with this model. Only the default (1) value is supported.`,
      { param: name, code: "unsupported_value" },
    );
    checkSupported(false, name);
  }
}

function checkSupported(isSupported: boolean, param: string): void {
  const message = `Unsupported parameter: '${param}' is not supported with this model.`;
  ensure(isSupported, message, { param, code: "unsupported_parameter" });
}

export function checkEffort(effort: unknown, param: string, { reasoning }: Model): void {
  if (!isGiven(effort)) return;
  checkSupported(reasoning.kind !== "none", param);
  ensure(
    reasoning.levels.some((level) => level === effort),
    `Unsupported value: '${textIn(effort)}' is not supported with the '${param}' parameter of this model. Supported values are: ${joinNames(reasoning.levels)}.`,
    { param, code: "unsupported_value" },
  );
}

/** Quotes names as OpenAI lists them: `'a', 'b', and 'c'`. */
export function joinNames(names: readonly string[]): string {
  const quoted = names.map((name) => `'${name}'`);
  if (quoted.length < 3) return quoted.join(" and ");
  return `${quoted.slice(0, -1).join(", ")}, and ${quoted.at(-1)}`;
}

const NAME = /^[a-zA-Z0-9_-]+$/;
const MAX_NAME_CHARS = 64;

export function checkName(name: unknown, path: string): void {
  requireParameter(typeof name === "string", path);
  ensure(
    NAME.test(name),
    `Invalid '${path}': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.`,
    { param: path, code: "invalid_value" },
  );
  checkLength(name, path, MAX_NAME_CHARS);
}

export function checkLength(text: string, path: string, limit: number): void {
  ensure(
    text.length <= limit,
    `Invalid '${path}': string too long. Expected a string with maximum length ${limit}, but got a string with length ${text.length} instead.`,
    { param: path, code: "string_above_max_length" },
  );
}

/** A strict schema must close every object and require every field. */
export function checkStrictSchema(schema: unknown, subject: string, path: readonly string[] = []): void {
  const { type, properties, additionalProperties, required, items } = objectIn(schema);
  const context =
    path.length === 0 ? "()" : `(${path.map((part) => `'${part}'`).join(", ")}${path.length === 1 ? "," : ""})`;
  if (type === "object") {
    ensure(
      additionalProperties === false,
      `Invalid schema for ${subject}: In context=${context}, 'additionalProperties' is required to be supplied and to be false.`,
      { code: "invalid_function_parameters" },
    );
    const names = Object.keys(objectIn(properties));
    const missing = names.find((name) => !(Array.isArray(required) && required.includes(name)));
    ensure(
      missing === undefined,
      `Invalid schema for ${subject}: In context=${context}, 'required' is required to be supplied and to be an array including every key in properties. Missing '${missing}'.`,
      { code: "invalid_function_parameters" },
    );
  }
  for (const [name, inner] of Object.entries(objectIn(properties)))
    checkStrictSchema(inner, subject, [...path, "properties", name]);
  if (isGiven(items)) checkStrictSchema(items, subject, [...path, "items"]);
}
