import type { z } from "zod";
import { isJsonObject } from "./json.ts";
import { table } from "./table.ts";

type Issue = z.core.$ZodIssue;

/** Says of the first fault where it is, what stands there and what to give instead, and how many more there are. */
export function describeIssues(issues: readonly Issue[], root: unknown): string {
  const [first, ...others] = issues;
  if (first === undefined) return "the conversation is malformed";
  const more = others.length === 0 ? "" : ` (and ${others.length} more like this)`;
  return `${describeIssue(first, root)}${more}`;
}

function describeIssue(issue: Issue, root: unknown): string {
  const place = spellPath(issue.path);
  if (issue.code === "unrecognized_keys") {
    const keys = issue.keys.map((key) => `"${key}"`).join(", ");
    return `${place} has unknown fields ${keys}; remove them, or move them under "extra" of their block or message`;
  }
  const value = valueAt(root, issue.path);
  const found = value === undefined ? "is missing" : `is ${show(value)}`;
  return `${place} ${found}; give ${expected(issue)}${hint(issue.path, value)}`;
}

function expected(issue: Issue): string {
  switch (issue.code) {
    case "invalid_type":
      return WITH_ARTICLE[issue.expected] ?? issue.expected;
    case "invalid_value":
      return oneOf(issue.values);
    case "invalid_union":
      return oneOf("options" in issue && Array.isArray(issue.options) ? issue.options : []);
    default:
      return issue.message;
  }
}

const WITH_ARTICLE: Readonly<Record<string, string>> = table({
  object: "an object",
  array: "an array",
  string: "a string",
  boolean: "true or false",
  number: "a number",
});

function oneOf(values: readonly unknown[]): string {
  return `one of ${values.map(show).join(", ")}`;
}

/** What people who meet this fault mostly meant. */
function hint(path: readonly PropertyKey[], value: unknown): string {
  const key = path.at(-1);
  if (key === "type" && typeof value === "string") {
    return `, or wrap a block of another format as {"type":"opaque","kind":${show(value)},"native":{"wire":"<its format>","value":<the block>}}`;
  }
  return key === "role" && value === "tool" ? "; a tool's answer is a tool-result block in a user message" : "";
}

function spellPath(path: readonly PropertyKey[]): string {
  return path.reduce<string>(
    (spelled, key) => (typeof key === "number" ? `${spelled}[${key}]` : `${spelled}.${String(key)}`),
    "conversation",
  );
}

function valueAt(root: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((value, key) => {
    if (Array.isArray(value)) return value[Number(key)];
    return isJsonObject(value) ? value[String(key)] : undefined;
  }, root);
}

const MAX_SHOWN_CHARS = 60;

function show(value: unknown): string {
  if (Array.isArray(value)) return "an array";
  if (typeof value === "object" && value !== null) return "an object";
  if (typeof value !== "string") return String(value);
  return JSON.stringify(value.length > MAX_SHOWN_CHARS ? `${value.slice(0, MAX_SHOWN_CHARS)}…` : value);
}
