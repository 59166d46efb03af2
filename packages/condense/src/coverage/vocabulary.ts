/**
 * The identifiers and lines of a conversation, each by a number, and how strongly each is remembered: what was said often and lately, and by
 * whom. Being needed again follows that sum closely.
 */
export class Vocabulary {
  readonly #identifiers = new Map<string, number>();
  readonly #lines = new Map<string, number>();
  readonly #isLine: boolean[] = [];
  readonly #strength: number[] = [];
  /** The message that a term was last seen in, and how strongly: a message counts once, by its strongest sight. */
  readonly #message: number[] = [];
  readonly #sight: number[] = [];

  /** Notes that a message says an identifier, and tells its number. */
  seeIdentifier(word: string, message: number, strength: number): number {
    const term = this.#identifiers.get(word) ?? this.#add(this.#identifiers, word, false);
    this.#see(term, message, strength);
    return term;
  }

  /** Notes that a message says a line. */
  seeLine(saying: string, message: number, strength: number): void {
    this.#see(this.#lines.get(saying) ?? this.#add(this.#lines, saying, true), message, strength);
  }

  /** The number of a line that was seen. */
  line(saying: string): number | undefined {
    return this.#lines.get(saying);
  }

  /** How likely each term is needed again, by its number. */
  chances(): Float64Array {
    return Float64Array.from(this.#strength, (strength, term) => {
      return strength / (strength + (this.#isLine[term] === true ? HALF_CHANCE.line : HALF_CHANCE.identifier));
    });
  }

  #add(map: Map<string, number>, key: string, isLine: boolean): number {
    const term = this.#strength.length;
    map.set(key, term);
    this.#isLine.push(isLine);
    this.#strength.push(0);
    this.#message.push(-1);
    this.#sight.push(0);
    return term;
  }

  #see(term: number, message: number, strength: number): void {
    const known = this.#message[term] === message ? (this.#sight[term] ?? 0) : 0;
    if (strength <= known) return;
    this.#strength[term] = (this.#strength[term] ?? 0) + strength - known;
    this.#sight[term] = strength;
    this.#message[term] = message;
  }
}

/** The strength at which a term is needed again as likely as not; fitted, as `docs/decisions` tells. */
const HALF_CHANCE = { identifier: 5, line: 20 } as const;
