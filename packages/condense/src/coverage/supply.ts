import { LonghaulError } from "@longhaul/conversation";
import type { Content } from "../content/content.ts";
import { type Reader, stretchesIn } from "./sighting.ts";

/** A text whose lines can be chosen one by one. */
export interface SuppliedText {
  readonly content: Content;
  readonly group: number;
  readonly tokensPerCharacter: number;
  readonly recency: number;
  /** What a mark costs that stands for lines left out of it. */
  readonly markTokens: number;
  /** Its units are those from `first` up to `end`. */
  readonly first: number;
  readonly end: number;
}

/** What must be kept of messages in order to keep any line of them, and what that says. */
export interface Group {
  readonly tokens: number;
  readonly terms: readonly number[];
  /** Whether it is kept in any case. */
  readonly isKept: boolean;
}

/** All lines that can be chosen, in reading order. The numbers are packed, because a long conversation has a hundred thousand lines. */
export class Supply {
  readonly texts: SuppliedText[] = [];
  readonly #textOf = new IntegerList();
  readonly #from = new IntegerList();
  readonly #terms = new IntegerList();
  readonly #termsEnd = new IntegerList();

  /** Reads a content and adds its lines. */
  add(text: Omit<SuppliedText, "first" | "end">, reader: Reader): void {
    const first = this.size;
    for (const stretch of stretchesIn(text.content)) {
      this.#textOf.push(this.texts.length);
      this.#from.push(stretch.from);
      for (const term of reader.read(text.content, stretch)) this.#terms.push(term);
      this.#termsEnd.push(this.#terms.length);
    }
    this.texts.push({ ...text, first, end: this.size });
  }

  /** How many lines there are. */
  get size(): number {
    return this.#from.length;
  }

  /** The text that a unit belongs to. */
  textOf(unit: number): SuppliedText {
    const text = this.texts[this.#textOf.at(unit)];
    if (text === undefined) throw new LonghaulError("internal.bug", `there is no unit ${unit}`);
    return text;
  }

  /** Where a unit begins in its content. */
  from(unit: number): number {
    return this.#from.at(unit);
  }

  /** Where a unit ends in its content. */
  to(unit: number): number {
    const { end, content } = this.textOf(unit);
    return unit + 1 < end ? this.#from.at(unit + 1) : content.text.length;
  }

  /** What a unit says. */
  termsOf(unit: number): Int32Array {
    return this.#terms.slice(unit === 0 ? 0 : this.#termsEnd.at(unit - 1), this.#termsEnd.at(unit));
  }
}

/** A list of integers that grows, in four bytes for each. */
class IntegerList {
  #values = new Int32Array(1024);
  length = 0;

  push(value: number): void {
    if (this.length === this.#values.length) {
      const grown = new Int32Array(this.length * 2);
      grown.set(this.#values);
      this.#values = grown;
    }
    this.#values[this.length++] = value;
  }

  /** A view of some of them, good until the next push. */
  slice(from: number, to: number): Int32Array {
    return this.#values.subarray(from, to);
  }

  at(index: number): number {
    return this.#values[index] ?? 0;
  }
}
