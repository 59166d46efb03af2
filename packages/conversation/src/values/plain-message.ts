import type { $ZodRawIssue } from "zod/v4/core";
import { table } from "./json.ts";

type Issue = $ZodRawIssue;

/**
 * Describes an issue as a sentence without its subject, which is the setting's path. A schema's own message takes precedence. Returns
 * undefined for the rare issues that keep zod's message.
 */
export function plainMessage(issue: Issue): string | undefined {
  switch (issue.code) {
    case "invalid_type":
      return issue.input === undefined ? "is required" : `must be ${TYPES[issue.expected] ?? issue.expected}`;
    case "invalid_value":
      return chooseFrom(issue.values, issue.input);
    case "invalid_union":
      return Array.isArray(issue.options) ? chooseFrom(issue.options, undefined) : undefined;
    case "too_small":
      return limit(issue, { bound: issue.minimum, words: issue.inclusive === false ? "more than" : "at least" });
    case "too_big":
      return limit(issue, { bound: issue.maximum, words: issue.inclusive === false ? "less than" : "at most" });
    case "unrecognized_keys":
      return `has unknown fields: ${issue.keys.join(", ")}`;
    case "invalid_format":
      return issue.pattern === undefined ? undefined : `must match ${issue.pattern}`;
    default:
      return undefined;
  }
}

const TYPES: Readonly<Record<string, string>> = table({
  array: "a list",
  boolean: "true or false",
  int: "a whole number",
  number: "a number",
  object: "an object",
  record: "an object",
  string: "a string",
});

const MAX_SHOWN_CHARS = 60;

/** Shows a value only if a fixed set of values is allowed, because no secret has one. */
function chooseFrom(values: readonly unknown[], input: unknown): string {
  const shown = typeof input === "string" && input.length <= MAX_SHOWN_CHARS ? `, not ${JSON.stringify(input)}` : "";
  return `must be ${values.length === 1 ? "" : "one of "}${values.join(", ")}${shown}`;
}

function limit(
  issue: Issue & { readonly origin: string },
  { bound, words }: { bound: unknown; words: string },
): string {
  const unit = UNITS[issue.origin];
  // No secret is a number.
  const shown = typeof issue.input === "number" ? `, not ${issue.input}` : "";
  if (unit === undefined) return `must be ${words} ${bound}${shown}`;
  if (issue.code === "too_small" && bound === 1) return "must not be empty";
  return `must have ${words} ${bound} ${unit}`;
}

const UNITS: Readonly<Record<string, string>> = table({ string: "characters", array: "items", record: "entries" });
