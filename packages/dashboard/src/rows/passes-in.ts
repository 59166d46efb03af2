/** What one pass did. */
export interface PassFigures {
  readonly id: string;
  readonly name: string;
  readonly outcome: string;
  readonly why?: string | undefined;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  readonly operations: Readonly<Record<string, number>>;
  readonly costUsd: number;
  readonly milliseconds: number;
}

/**
 * The passes of a report as it was kept; what is not of their shape is left out. Where they began with what an earlier condensation had
 * left, that one comes first.
 */
export function passesIn({ passes, tokensBefore }: Readonly<Record<string, unknown>>): readonly PassFigures[] {
  const made = Array.isArray(passes) ? passes.filter(isPass) : [];
  const begunWith = made[0]?.tokensBefore ?? 0;
  if (begunWith === 0 || typeof tokensBefore !== "number" || tokensBefore <= begunWith) return made;
  return [{ ...EARLIER, tokensBefore, tokensAfter: begunWith }, ...made];
}

const EARLIER = {
  id: "earlier",
  name: "Earlier condensation",
  outcome: "reused",
  operations: {},
  costUsd: 0,
  milliseconds: 0,
} as const;

/** Facts of a conversation, and what became of them when it was summarised. */
export interface FactFigures {
  readonly found: number;
  readonly retainedBySummary: number;
  /** How many were put back. */
  readonly putBack: number;
}

/** The facts that the passes of a report checked, all together. A report that is kept says how many they are, not what they say. */
export function factsIn(report: Readonly<Record<string, unknown>>): FactFigures {
  const checked = passesIn(report)
    .map((pass) => ("facts" in pass ? pass.facts : undefined))
    .filter(isFacts);
  const sum = (read: (facts: FactFigures) => number) => checked.reduce((all, facts) => all + read(facts), 0);
  return {
    found: sum(({ found }) => found),
    retainedBySummary: sum(({ retainedBySummary }) => retainedBySummary),
    putBack: sum(({ putBack }) => putBack),
  };
}

function isFacts(value: unknown): value is FactFigures {
  return (
    typeof value === "object" &&
    value !== null &&
    "found" in value &&
    typeof value.found === "number" &&
    "retainedBySummary" in value &&
    typeof value.retainedBySummary === "number" &&
    "putBack" in value &&
    typeof value.putBack === "number"
  );
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
