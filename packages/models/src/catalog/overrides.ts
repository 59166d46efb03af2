import { checkValue, isJsonObject, LonghaulError } from "@longhaul/conversation/advanced";
import * as z from "zod/mini";
import { FACT_NAMES, factsSchema } from "./model.ts";
import type { Rule } from "./rule.ts";

/** A user's overrides: facts by model id, name or glob. */
export const overridesSchema = z.record(z.string().check(z.minLength(1)), factsSchema);

/** A user's overrides: see `overridesSchema`. */
export type Overrides = z.infer<typeof overridesSchema>;

/** Parses overrides. Throws `catalog.invalid`, naming every problem. */
export function parseOverrides(value: unknown): Rule[] {
  const parsed = checkValue(z.record(z.string().check(z.minLength(1)), z.unknown()), value);
  if (!parsed.success) throw invalid("the overrides", "expected an object of model names and facts");
  return Object.entries(parsed.data).map(([match, facts]) => parseOverride(match, facts));
}

function parseOverride(match: string, value: unknown): Rule {
  requireWindow(match, value);
  const facts = checkValue(factsSchema, value);
  if (!facts.success)
    throw invalid(`the override for "${match}"`, facts.error.issues.map((issue) => describe(issue, value)).join("; "));
  return { match, facts: facts.data, source: "override" };
}

/** An invalid window has its own error, the same as everywhere in the product. */
function requireWindow(match: string, value: unknown): void {
  if (!isJsonObject(value) || value.window === undefined) return;
  const limit = value.window;
  if (typeof limit === "number" && Number.isInteger(limit) && limit > 0) return;
  const found = `the override for "${match}" sets window to ${formatValue(limit)}`;
  throw new LonghaulError("VALIDATION_ERROR", `Context limit must be positive: ${found}; set a whole number of tokens`);
}

function invalid(what: string, why: string): LonghaulError {
  return new LonghaulError(
    "catalog.invalid",
    `${what} of the model catalog cannot be used: ${why}; correct or remove it`,
  );
}

function describe(issue: z.core.$ZodIssue, root: unknown): string {
  const place = issue.path.join(".");
  if (issue.code === "unrecognized_keys") {
    const known = place === "" ? ` (known: ${FACT_NAMES.join(", ")})` : "";
    return `${place === "" ? "it" : place} has no field ${issue.keys.map((key) => `"${key}"`).join(", ")}${known}`;
  }
  const found = issue.path.reduce<unknown>(step, root);
  return `${place === "" ? "it" : place} is ${formatValue(found)}: ${issue.message}`;
}

function step(value: unknown, key: PropertyKey): unknown {
  if (Array.isArray(value)) return value[Number(key)];
  return isJsonObject(value) ? value[String(key)] : undefined;
}

function formatValue(value: unknown): string {
  return typeof value === "number" ? String(value) : (JSON.stringify(value) ?? "missing");
}
