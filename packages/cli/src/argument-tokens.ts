import { table } from "@longhaul/conversation";
import { InvalidArgumentError } from "commander";

/** The tokens that an argument names, such as `50000`, `50k` or `1m`; anything else is a wrong call. */
export function argumentTokens(text: string): number {
  const [, digits = "", unit = ""] = /^(\d+(?:\.\d+)?)([km]?)$/i.exec(text) ?? [];
  const tokens = Number(digits) * (UNITS[unit.toLowerCase()] ?? 1);
  if (digits !== "" && Number.isSafeInteger(tokens) && tokens > 0) return tokens;
  throw new InvalidArgumentError(`"${text}" is no number of tokens; give one such as 50000, 50k or 1m.`);
}

const UNITS: Readonly<Record<string, number>> = table({ k: 1_000, m: 1_000_000 });
