import { PROJECTION_VERSION, type Projection } from "@longhaul/condense";
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
