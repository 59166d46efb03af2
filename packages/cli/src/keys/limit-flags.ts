import type { KeyLimits } from "@longhaul/store";
import { InvalidArgumentError } from "commander";

/** What the flags say of a key's limits; `none` lifts one. */
export type LimitFlags = { readonly [Name in keyof KeyLimits]?: number | "none" };

/** The limit that an argument names; anything else is a wrong call. */
export function argumentLimit(text: string): number | "none" {
  if (text === "none") return text;
  const limit = Number(text);
  if (text.trim() !== "" && Number.isFinite(limit) && limit >= 0) return limit;
  throw new InvalidArgumentError(`"${text}" is no limit; give a number, or none.`);
}

const NAMES = ["requestsPerMinute", "concurrent", "usdPerDay", "usdPerMonth"] as const;

/** A key's limits once the flags are heeded. */
export function limitsAfter(flags: LimitFlags, before: KeyLimits): KeyLimits {
  const entries = NAMES.map((name) => [name, flags[name] ?? before[name] ?? "none"] as const);
  return Object.fromEntries(entries.filter(([, limit]) => limit !== "none"));
}
