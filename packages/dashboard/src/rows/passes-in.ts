import type { PassFigures } from "./waterfall.tsx";

/** The passes of a report as it was kept; what is not of their shape is left out. */
export function passesIn(report: Readonly<Record<string, unknown>>): readonly PassFigures[] {
  const { passes } = report;
  return Array.isArray(passes) ? passes.filter(isPass) : [];
}

function isPass(value: unknown): value is PassFigures {
  return (
    typeof value === "object" &&
    value !== null &&
    "name" in value &&
    "tokensBefore" in value &&
    typeof value.tokensBefore === "number" &&
    "tokensAfter" in value &&
    typeof value.tokensAfter === "number" &&
    "operations" in value &&
    typeof value.operations === "object"
  );
}
