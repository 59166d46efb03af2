import { PROJECTION_VERSION, type Projection } from "@longhaul/condense";
import type { Evidence } from "../store.ts";
import { readJson } from "./read-json.ts";

/** A projection as it was stored; `undefined` for anything that can't be replayed today. */
export function readProjection(json: string): Projection | undefined {
  const value = readJson(json);
  return isProjection(value) ? value : undefined;
}

function isProjection(value: unknown): value is Projection {
  return (
    typeof value === "object" &&
    value !== null &&
    "version" in value &&
    value.version === PROJECTION_VERSION &&
    "messages" in value &&
    Number.isInteger(value.messages) &&
    "entries" in value &&
    Array.isArray(value.entries)
  );
}

/** Reads what an epoch was made from; `undefined` for anything that proves nothing. */
export function readEvidence(json: string): Evidence | undefined {
  const value = readJson(json);
  return isEvidence(value) ? value : undefined;
}

function isEvidence(value: unknown): value is Evidence {
  return (
    typeof value === "object" &&
    value !== null &&
    "head" in value &&
    typeof value.head === "string" &&
    "through" in value &&
    Number.isInteger(value.through) &&
    "messages" in value &&
    Array.isArray(value.messages) &&
    value.messages.every((print) => typeof print === "string")
  );
}
