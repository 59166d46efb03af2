import type { CandidateLines, CandidateText, Group } from "./candidate-lines.ts";

/** The lines to choose from, and the data to value them. */
export interface Candidates {
  readonly lines: CandidateLines;
  readonly groups: readonly Group[];
  /** Probability that each term is needed. */
  readonly probabilities: Float64Array;
  /** Terms that are kept elsewhere, in any order, including repeats. */
  readonly covered: readonly number[];
}

/** The chosen lines and groups. */
export interface LineChoice {
  isChosen(unit: number): boolean;
  isKept(group: number): boolean;
}

/**
 * Chooses the lines that together cover most of what is likely needed, per token. A term counts once, so a line's value decreases as others
 * are chosen; it is recomputed only when the line reaches the top (lazy greedy). Lines of a group become available once the group is kept,
 * and a group's value includes its best lines. Returns a function for several budgets: they share the first choices.
 */
export function openChoice(candidates: Candidates): (budgetTokens: number) => LineChoice {
  const start = new GreedyChoice(candidates);
  let reached: GreedyChoice | undefined;
  return (budgetTokens) => {
    reached ??= start.runTo(budgetTokens * SHARED_SHARE);
    const choosing = new GreedyChoice(candidates, budgetTokens >= reached.budgetTokens ? reached : start);
    choosing.run(budgetTokens);
    return choosing;
  };
}

/** Share of the first budget that later ones rarely fall below. */
const SHARED_SHARE = 0.9;

/** Value of any line for being recent, per token: decides only between lines that add nothing new. */
const RECENCY_VALUE = 1e-4;

/** Rounding error of floating-point sums. */
const ROUNDING_ERROR = 1e-12;

/** Number of lines that count toward a group's value. */
const BEST_LINES = 48;

class GreedyChoice implements LineChoice {
  readonly #candidates: Candidates;
  readonly #chosen: Uint8Array;
  readonly #kept: Uint8Array;
  /** Probability of each term, or 0 once it is covered. */
  readonly #gains: Float64Array;
  readonly #heap: MaxHeap;
  readonly #textsOf: readonly (readonly CandidateText[])[];
  readonly #bestOf: readonly (readonly number[])[];
  #budgetTokens = 0;
  #spentTokens: number;
  /** The entry that did not fit the budget. */
  #refused: number | undefined;

  /** Opens a choice, or copies one. */
  constructor(candidates: Candidates, start?: GreedyChoice) {
    const { probabilities, lines, groups } = candidates;
    this.#candidates = candidates;
    this.#chosen = start === undefined ? new Uint8Array(lines.size) : start.#chosen.slice();
    this.#kept = start === undefined ? new Uint8Array(groups.length) : start.#kept.slice();
    this.#gains = (start === undefined ? probabilities : start.#gains).slice();
    this.#heap = new MaxHeap(start === undefined ? undefined : start.#heap);
    this.#textsOf = start === undefined ? byGroup(candidates) : start.#textsOf;
    if (start === undefined) this.#keepGroups();
    this.#bestOf = start === undefined ? this.#bestOfGroups() : start.#bestOf;
    this.#spentTokens = start === undefined ? 0 : start.#spentTokens;
    this.#refused = start === undefined ? undefined : start.#refused;
    if (start === undefined) for (const group of groups.keys()) this.#offer(lines.size + group);
  }

  /** Keeps the groups that are always kept. */
  #keepGroups(): void {
    const { groups, covered } = this.#candidates;
    this.#cover(covered);
    for (const [group, { isKept }] of groups.entries()) if (isKept) this.#keep(group);
  }

  #bestOfGroups(): number[][] {
    return this.#textsOf.map((texts, group) => (this.isKept(group) ? [] : this.#bestLines(texts)));
  }

  isChosen(unit: number): boolean {
    return this.#chosen[unit] === 1;
  }

  isKept(group: number): boolean {
    return this.#kept[group] === 1;
  }

  /** Returns a copy that took the best entries up to the first one that does not fit. A larger budget starts with the same entries. */
  runTo(budgetTokens: number): GreedyChoice {
    const reached = new GreedyChoice(this.#candidates, this);
    reached.#budgetTokens = budgetTokens;
    reached.#run(true);
    return reached;
  }

  /** Takes the best entries that fit. */
  run(budgetTokens: number): void {
    this.#budgetTokens = budgetTokens;
    this.#run(false);
  }

  get budgetTokens(): number {
    return this.#budgetTokens;
  }

  /** In the heap, group indexes follow unit indexes. */
  #run(stopsAtRefusal: boolean): void {
    for (let entry = this.#next(); entry !== undefined; entry = this.#next()) {
      const value = this.#valueOf(entry);
      if (value <= 0) continue;
      if (value < this.#heap.topPriority - ROUNDING_ERROR) this.#heap.push(entry, value);
      else if (!this.#take(entry) && stopsAtRefusal) {
        this.#refused = entry;
        return;
      }
    }
  }

  #next(): number | undefined {
    if (this.#budgetTokens - this.#spentTokens < 1) return undefined;
    const refused = this.#refused;
    this.#refused = undefined;
    return refused ?? this.#heap.pop();
  }

  #offer(entry: number): void {
    const value = this.#valueOf(entry);
    if (value > 0) this.#heap.push(entry, value);
  }

  /** Value per token; 0 if already taken. */
  #valueOf(entry: number): number {
    const { size } = this.#candidates.lines;
    if (entry >= size) return this.isKept(entry - size) ? 0 : this.#valueOfGroup(entry - size);
    return this.isChosen(entry) ? 0 : this.#valueOfUnit(entry);
  }

  /** A line's worth includes the lines that it needs. */
  #valueOfUnit(unit: number): number {
    const missing = this.#missingFor(unit);
    const gain = missing.reduce((sum, other) => sum + this.#gainOfUnit(other), this.#gainOfUnit(unit));
    return gain / this.#costWithMissing(unit, missing);
  }

  /** Returns the lines that a line needs and that are not chosen yet. */
  #missingFor(unit: number): number[] {
    return this.#candidates.lines.neededBy(unit).filter((other) => !this.isChosen(other));
  }

  #costWithMissing(unit: number, missing: readonly number[]): number {
    return missing.reduce((sum, other) => sum + this.#costOfUnit(other), this.#costOfUnit(unit));
  }

  /** Lines count as long as they raise the ratio; a term in two of them counts once. */
  #valueOfGroup(group: number): number {
    const { groups } = this.#candidates;
    const newlyCovered: number[] = [];
    let gain = this.#coverOnce(groups[group]?.terms ?? [], newlyCovered);
    let cost = this.#costOfGroup(group);
    for (const unit of this.#bestOf[group] ?? []) {
      const unitGain = this.#gainOfUnit(unit);
      const unitCost = this.#costOfUnit(unit);
      if (unitGain * cost <= gain * unitCost) continue;
      gain += unitGain;
      cost += unitCost;
      this.#coverOnce(this.#candidates.lines.termsOf(unit), newlyCovered);
    }
    for (const term of newlyCovered) this.#gains[term] = this.#candidates.probabilities[term] ?? 0;
    return gain / cost;
  }

  /** Sums the probabilities of terms not covered yet. Covers them, and adds them to `newlyCovered`. */
  #coverOnce(terms: ArrayLike<number>, newlyCovered: number[]): number {
    let gain = 0;
    for (let at = 0; at < terms.length; at++) {
      const term = terms[at] ?? 0;
      const own = this.#gains[term] ?? 0;
      if (own === 0) continue;
      gain += own;
      this.#gains[term] = 0;
      newlyCovered.push(term);
    }
    return gain;
  }

  #gainOfUnit(unit: number): number {
    const { lines } = this.#candidates;
    const { tokensPerCharacter, recency } = lines.textOf(unit);
    const recencyValue = RECENCY_VALUE * recency * tokensPerCharacter * (lines.to(unit) - lines.from(unit));
    return lines.sumTerms(unit, this.#gains, recencyValue);
  }

  #costOfGroup(group: number): number {
    return Math.max(1, this.#candidates.groups[group]?.tokens ?? 0);
  }

  /** A line between two omitted ones costs an additional mark; between two kept ones it saves one. */
  #costOfUnit(unit: number): number {
    const { lines } = this.#candidates;
    const { first, end, tokensPerCharacter, markTokens } = lines.textOf(unit);
    const edges = this.#isEdge(unit - 1, first, end) + this.#isEdge(unit + 1, first, end);
    const tokens = tokensPerCharacter * (lines.to(unit) - lines.from(unit));
    return Math.max(1, tokens + (1 - edges) * markTokens);
  }

  /** 1 if nothing is omitted next to a unit: its text ends there, or the neighbor is chosen. */
  #isEdge(unit: number, first: number, end: number): number {
    return unit < first || unit >= end || this.isChosen(unit) ? 1 : 0;
  }

  /** Returns whether an entry fits, and takes it then. */
  #take(entry: number): boolean {
    const { size } = this.#candidates.lines;
    const missing = entry >= size ? [] : this.#missingFor(entry);
    const cost = entry >= size ? this.#costOfGroup(entry - size) : this.#costWithMissing(entry, missing);
    if (this.#spentTokens + cost > this.#budgetTokens) return false;
    this.#spentTokens += cost;
    if (entry >= size) this.#keep(entry - size);
    else for (const unit of [entry, ...missing]) this.#choose(unit);
    return true;
  }

  #choose(unit: number): void {
    const { lines } = this.#candidates;
    const { first, end } = lines.textOf(unit);
    this.#chosen[unit] = 1;
    this.#cover(lines.termsOf(unit));
    if (unit > first) this.#offer(unit - 1);
    if (unit + 1 < end) this.#offer(unit + 1);
  }

  #keep(group: number): void {
    this.#kept[group] = 1;
    this.#cover(this.#candidates.groups[group]?.terms ?? []);
    for (const { first, end } of this.#textsOf[group] ?? [])
      for (let unit = first; unit < end; unit++) this.#offer(unit);
  }

  #cover(terms: ArrayLike<number>): void {
    for (let at = 0; at < terms.length; at++) this.#gains[terms[at] ?? 0] = 0;
  }

  #bestLines(texts: readonly CandidateText[]): number[] {
    const best = new MaxHeap();
    for (const { first, end } of texts) {
      for (let unit = first; unit < end; unit++) best.push(unit, this.#valueOf(unit));
    }
    return Array.from({ length: Math.min(BEST_LINES, best.size) }, () => best.pop() ?? 0);
  }
}

function byGroup({ lines, groups }: Candidates): CandidateText[][] {
  const texts: CandidateText[][] = groups.map(() => []);
  for (const text of lines.texts) texts[text.group]?.push(text);
  return texts;
}

/** Max-heap of numbers by priority. */
export class MaxHeap {
  readonly #priorities: number[];
  readonly #values: number[];

  constructor(copied?: MaxHeap) {
    this.#priorities = copied === undefined ? [] : copied.#priorities.slice();
    this.#values = copied === undefined ? [] : copied.#values.slice();
  }

  get size(): number {
    return this.#values.length;
  }

  /** Priority of the first entry, or 0. */
  get topPriority(): number {
    return this.#priorities[0] ?? 0;
  }

  push(value: number, priority: number): void {
    let at = this.#values.length;
    this.#values.push(value);
    this.#priorities.push(priority);
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (this.#priorityAt(parent) >= priority) break;
      this.#move(parent, at);
      at = parent;
    }
    this.#setEntry(at, value, priority);
  }

  pop(): number | undefined {
    const first = this.#values[0];
    const value = this.#values.pop();
    const priority = this.#priorities.pop();
    if (value === undefined || priority === undefined || this.#values.length === 0) return first;
    this.#sink(value, priority);
    return first;
  }

  #sink(value: number, priority: number): void {
    const { length } = this.#values;
    let at = 0;
    for (let child = 1; child < length; child = 2 * at + 1) {
      const larger = child + 1 < length && this.#priorityAt(child + 1) > this.#priorityAt(child) ? child + 1 : child;
      if (this.#priorityAt(larger) <= priority) break;
      this.#move(larger, at);
      at = larger;
    }
    this.#setEntry(at, value, priority);
  }

  #priorityAt(at: number): number {
    return this.#priorities[at] ?? 0;
  }

  #move(from: number, to: number): void {
    this.#setEntry(to, this.#values[from] ?? 0, this.#priorityAt(from));
  }

  #setEntry(at: number, value: number, priority: number): void {
    this.#values[at] = value;
    this.#priorities[at] = priority;
  }
}
