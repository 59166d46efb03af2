import { checkValue, isJsonObject, LonghaulError } from "@longhaul/conversation/advanced";
import * as z from "zod/mini";
import { formatValue, requireWindow } from "./load-catalog.ts";
import { FACT_NAMES, type Facts, factsSchema, type Overrides } from "./model.ts";

/** Checks a user's overrides, for `loadCatalog`. Throws `catalog.invalid`, naming every problem. */
export function parseOverrides(value: unknown): Overrides {
  const parsed = checkValue(z.record(z.string().check(z.minLength(1)), z.unknown()), value);
  if (!parsed.success) throw invalid("the overrides", "expected an object of model names and facts");
  return Object.fromEntries(Object.entries(parsed.data).map(([match, facts]) => [match, parseFacts(match, facts)]));
}

function parseFacts(match: string, value: unknown): Facts {
  requireWindow(match, value);
  const facts = checkValue(factsSchema, value);
  if (facts.success) return facts.data;
  throw invalid(`the override for "${match}"`, facts.error.issues.map((issue) => describe(issue, value)).join("; "));
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
