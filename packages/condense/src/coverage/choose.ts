import type { Group, SuppliedText, Supply } from "./supply.ts";

/** What there is to choose from, and what a choice is worth. */
export interface Market {
  readonly supply: Supply;
  readonly groups: readonly Group[];
  /** How likely each term is needed. */
  readonly chances: Float64Array;
  /** Terms that are kept elsewhere, in any order, repeats included. */
  readonly covered: readonly number[];
}

/** Which lines and groups are kept. */
export interface Choice {
  isChosen(unit: number): boolean;
  isKept(group: number): boolean;
}

/**
 * Chooses the lines that together say the most of what is likely needed, for their tokens. What is said once need not be said again, so a
 * line is worth less with every line chosen before it; a worth is worked out anew only when its line comes up (lazy greedy). Lines of a group
 * come up when the group is kept, and a group is worth what its best lines are with it.
 */
export function chooseLines(market: Market, budgetTokens: number): Choice {
  const choosing = new Choosing(market, budgetTokens);
  choosing.run();
  return choosing;
}

/** What any line is worth for being recent, in chances per token: decides only where nothing new is said. */
const PLAIN_WORTH = 1e-4;

/** Rounding of floating-point sums; less is no difference. */
const NO_DIFFERENCE = 1e-12;

/** How many of its lines tell what a group is worth. */
const BEST_LINES = 48;

class Choosing implements Choice {
  readonly #market: Market;
  readonly #chosen: Uint8Array;
  readonly #kept: Uint8Array;
  readonly #covered: Uint8Array;
  readonly #heap = new WorthHeap();
  readonly #textsOf: readonly (readonly SuppliedText[])[];
  readonly #bestOf: readonly (readonly number[])[];
  #left: number;

  constructor(market: Market, budgetTokens: number) {
    this.#market = market;
    this.#chosen = new Uint8Array(market.supply.size);
    this.#kept = new Uint8Array(market.groups.length);
    this.#covered = new Uint8Array(market.chances.length);
    this.#cover(market.covered);
    this.#left = budgetTokens;
    this.#textsOf = byGroup(market);
    for (const [group, { isKept }] of market.groups.entries()) if (isKept) this.#keep(group);
    this.#bestOf = this.#textsOf.map((texts, group) => (this.isKept(group) ? [] : this.#bestLines(texts)));
  }

  isChosen(unit: number): boolean {
    return this.#chosen[unit] === 1;
  }

  isKept(group: number): boolean {
    return this.#kept[group] === 1;
  }

  /** Groups stand in the heap after the units. */
  run(): void {
    const { supply, groups } = this.#market;
    for (const group of groups.keys()) this.#offer(supply.size + group);
    for (let entry = this.#heap.pop(); entry !== undefined && this.#left >= 1; entry = this.#heap.pop()) {
      const worth = this.#worthOf(entry);
      if (worth <= 0) continue;
      if (worth < this.#heap.topWorth - NO_DIFFERENCE) this.#heap.push(entry, worth);
      else this.#take(entry);
    }
  }

  #offer(entry: number): void {
    const worth = this.#worthOf(entry);
    if (worth > 0) this.#heap.push(entry, worth);
  }

  /** Chances per token; 0 for what is taken already. */
  #worthOf(entry: number): number {
    const { size } = this.#market.supply;
    if (entry >= size) return this.isKept(entry - size) ? 0 : this.#worthOfGroup(entry - size);
    return this.isChosen(entry) ? 0 : this.#gainOfUnit(entry) / this.#costOfUnit(entry);
  }

  /** Lines count while they raise the worth of the whole; what two of them say counts once. */
  #worthOfGroup(group: number): number {
    const { groups } = this.#market;
    const said: number[] = [];
    let gain = this.#sayOnce(groups[group]?.terms ?? [], said);
    let cost = this.#costOfGroup(group);
    for (const unit of this.#bestOf[group] ?? []) {
      const unitGain = this.#gainOfUnit(unit);
      const unitCost = this.#costOfUnit(unit);
      if (unitGain * cost <= gain * unitCost) continue;
      gain += unitGain;
      cost += unitCost;
      this.#sayOnce(this.#market.supply.termsOf(unit), said);
    }
    for (const term of said) this.#covered[term] = 0;
    return gain / cost;
  }

  /** The chances of terms that are not covered yet. Covers them, and notes which they were. */
  #sayOnce(terms: Iterable<number>, said: number[]): number {
    let gain = 0;
    for (const term of terms) {
      if (this.#covered[term] === 1) continue;
      gain += this.#market.chances[term] ?? 0;
      this.#covered[term] = 1;
      said.push(term);
    }
    return gain;
  }

  #gainOfUnit(unit: number): number {
    const { supply, chances } = this.#market;
    const { tokensPerCharacter, recency } = supply.textOf(unit);
    const plain = PLAIN_WORTH * recency * tokensPerCharacter * (supply.to(unit) - supply.from(unit));
    let gain = plain;
    for (const term of supply.termsOf(unit)) if (this.#covered[term] !== 1) gain += chances[term] ?? 0;
    return gain;
  }

  #costOfGroup(group: number): number {
    return Math.max(1, this.#market.groups[group]?.tokens ?? 0);
  }

  /** Between two lines left out a line costs a mark more; between two that are kept it saves one. */
  #costOfUnit(unit: number): number {
    const { supply } = this.#market;
    const { first, end, tokensPerCharacter, markTokens } = supply.textOf(unit);
    const edges = this.#isEdge(unit - 1, first, end) + this.#isEdge(unit + 1, first, end);
    const tokens = tokensPerCharacter * (supply.to(unit) - supply.from(unit));
    return Math.max(1, tokens + (1 - edges) * markTokens);
  }

  /** 1 where nothing is left out beside a unit: its text ends there, or the neighbour is chosen. */
  #isEdge(unit: number, first: number, end: number): number {
    return unit < first || unit >= end || this.isChosen(unit) ? 1 : 0;
  }

  #take(entry: number): void {
    const { size } = this.#market.supply;
    const cost = entry >= size ? this.#costOfGroup(entry - size) : this.#costOfUnit(entry);
    if (cost > this.#left) return;
    this.#left -= cost;
    if (entry >= size) this.#keep(entry - size);
    else this.#choose(entry);
  }

  #choose(unit: number): void {
    const { supply } = this.#market;
    const { first, end } = supply.textOf(unit);
    this.#chosen[unit] = 1;
    this.#cover(supply.termsOf(unit));
    if (unit > first) this.#offer(unit - 1);
    if (unit + 1 < end) this.#offer(unit + 1);
  }

  #keep(group: number): void {
    this.#kept[group] = 1;
    this.#cover(this.#market.groups[group]?.terms ?? []);
    for (const { first, end } of this.#textsOf[group] ?? [])
      for (let unit = first; unit < end; unit++) this.#offer(unit);
  }

  #cover(terms: Iterable<number>): void {
    for (const term of terms) this.#covered[term] = 1;
  }

  #bestLines(texts: readonly SuppliedText[]): number[] {
    const best = new WorthHeap();
    for (const { first, end } of texts) {
      for (let unit = first; unit < end; unit++) best.push(unit, this.#worthOf(unit));
    }
    return Array.from({ length: Math.min(BEST_LINES, best.size) }, () => best.pop() ?? 0);
  }
}

function byGroup({ supply, groups }: Market): SuppliedText[][] {
  const texts: SuppliedText[][] = groups.map(() => []);
  for (const text of supply.texts) texts[text.group]?.push(text);
  return texts;
}

/** Numbers in the order of their worth, the worthiest first. */
export class WorthHeap {
  readonly #worths: number[] = [];
  readonly #values: number[] = [];

  get size(): number {
    return this.#values.length;
  }

  /** The worth of the first; nothing is worth less than nothing. */
  get topWorth(): number {
    return this.#worths[0] ?? 0;
  }

  push(value: number, worth: number): void {
    let at = this.#values.length;
    this.#values.push(value);
    this.#worths.push(worth);
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (this.#worthAt(parent) >= worth) break;
      this.#move(parent, at);
      at = parent;
    }
    this.#place(at, value, worth);
  }

  /** Takes the worthiest out. */
  pop(): number | undefined {
    const first = this.#values[0];
    const value = this.#values.pop();
    const worth = this.#worths.pop();
    if (value === undefined || worth === undefined || this.#values.length === 0) return first;
    this.#sink(value, worth);
    return first;
  }

  #sink(value: number, worth: number): void {
    const { length } = this.#values;
    let at = 0;
    for (let child = 1; child < length; child = 2 * at + 1) {
      const larger = child + 1 < length && this.#worthAt(child + 1) > this.#worthAt(child) ? child + 1 : child;
      if (this.#worthAt(larger) <= worth) break;
      this.#move(larger, at);
      at = larger;
    }
    this.#place(at, value, worth);
  }

  #worthAt(at: number): number {
    return this.#worths[at] ?? 0;
  }

  #move(from: number, to: number): void {
    this.#place(to, this.#values[from] ?? 0, this.#worthAt(from));
  }

  #place(at: number, value: number, worth: number): void {
    this.#values[at] = value;
    this.#worths[at] = worth;
  }
}
