import type { Row } from "./rows.ts";

/** Something that is to hold, and whether it does. */
export interface Aim {
  readonly claim: string;
  readonly holds: boolean;
}

/** What holds for every condensed session: nothing is lost on the way, and what was said keeps its bytes from one condensation to the next. */
export function musts(where: string, { name, figures }: Row): Aim[] {
  const { turns, answered, overflows, otherErrors, orphans, condensations, rewrites } = figures;
  return [
    { claim: `${where}, ${name}: ${answered} of ${turns} turns answered`, holds: answered === turns },
    {
      claim: `${where}, ${name}: ${overflows + otherErrors} errors seen by the client`,
      holds: overflows + otherErrors === 0,
    },
    { claim: `${where}, ${name}: ${orphans} orphaned calls and results`, holds: orphans === 0 },
    {
      claim: `${where}, ${name}: ${rewrites.length} turns began otherwise than the one before, after ${condensations} condensations`,
      holds: rewrites.length <= condensations,
    },
  ];
}

/** Condensing once is to cost less than this share of what compacting on every turn does. */
const SHARE_OF_RECOMPACTION = 0.5;

/** What a session costs next to one that is compacted from scratch on every turn. */
export function cheaperThanRecompaction(where: string, { name, figures }: Row, recompacted: Row): Aim {
  const share = figures.costUsd / recompacted.figures.costUsd;
  const claim = `${where}, ${name}: ${share.toFixed(2)} of the cost of re-compaction each turn (aim: under ${SHARE_OF_RECOMPACTION})`;
  return { claim, holds: isWhole(figures) && share < SHARE_OF_RECOMPACTION };
}

/** Less than a tenth of a percent is a matter of rounding. */
const ROUNDING = 1.001;

/** What a session costs in a window that it fits into, next to one that nobody touches. */
export function noDearerThan(where: string, { name, figures }: Row, uncondensed: Row): Aim {
  const share = figures.costUsd / uncondensed.figures.costUsd;
  const claim = `${where}, ${name}: ${share.toFixed(3)} of the cost of the uncondensed session (aim: at most 1)`;
  return { claim, holds: isWhole(figures) && share <= ROUNDING };
}

/** A session that died early is cheap for the wrong reason. */
function isWhole({ answered, turns }: Row["figures"]): boolean {
  return answered === turns;
}

/** Prints what does not hold, and how much does. */
export function printAims(title: string, aims: readonly Aim[]): void {
  const failed = aims.filter(({ holds }) => !holds);
  console.log(`\n${title}: ${aims.length - failed.length} of ${aims.length} pass`);
  for (const { claim } of failed) console.log(`  FAIL  ${claim}`);
}
