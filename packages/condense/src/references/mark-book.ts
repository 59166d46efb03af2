import type { RawReference } from "../edits/change.ts";
import { positionKey } from "../edits/text-position.ts";
import type { TextName } from "./mark.ts";

/** The text that a mark points to, in raw coordinates. */
export type MarkedText = Pick<RawReference, "target" | "from" | "to">;

/** Numbers of names and marks in a book. */
export interface BookSize {
  readonly names: number;
  readonly marks: number;
}

/**
 * The names and marks of one conversation. Within it, equal marks point to equal content: a mark that is taken gets a longer name or
 * a word about its version, and without a free one the lines stay as they are.
 */
export class MarkBook {
  /** The long name that each short name belongs to: that of the first text with it. */
  readonly #owners = new Map<string, string>();
  readonly #targets = new Map<string, MarkedText>();

  get size(): BookSize {
    return { names: this.#owners.size, marks: this.#targets.size };
  }

  /** Adds the name of a text, in reading order. */
  addName({ short, long }: TextName): void {
    if (!this.#owners.has(short)) this.#owners.set(short, long);
  }

  /** Adds a mark that the conversation contains. */
  addMark(mark: string, target: MarkedText): void {
    if (!this.#targets.has(mark)) this.#targets.set(mark, target);
  }

  /** Removes everything that was added after the book had this size. */
  truncate({ names, marks }: BookSize): void {
    removeAfter(this.#owners, names);
    removeAfter(this.#targets, marks);
  }

  /** Returns a mark for a target that means nothing else in this conversation. The forms are tried in order. */
  choose(name: TextName, target: MarkedText, forms: readonly ((name: string) => string)[]): string | undefined {
    const plain = this.#owners.get(name.short) === name.long ? name.short : name.long;
    const version = `${plain} (${this.#isOlder(plain, target, forms) ? "older" : "newer"})`;
    for (const named of new Set([plain, name.long, version])) {
      const free = forms.map((form) => form(named)).find((mark) => this.#isFree(mark, target));
      if (free !== undefined) return free;
    }
    return undefined;
  }

  #isFree(mark: string, target: MarkedText): boolean {
    const taken = this.#targets.get(mark);
    return taken === undefined || isSameTarget(taken, target);
  }

  /** Whether the target precedes the one that has taken the plain mark. */
  #isOlder(name: string, { target }: MarkedText, forms: readonly ((name: string) => string)[]): boolean {
    const taken = forms.map((form) => this.#targets.get(form(name))).find((other) => other !== undefined);
    return taken !== undefined && target.message < taken.target.message;
  }
}

/** Whether two marks point to the same text. */
export function isSameTarget(a: MarkedText, b: MarkedText): boolean {
  return a.from === b.from && a.to === b.to && positionKey(a.target) === positionKey(b.target);
}

function removeAfter(map: Map<string, unknown>, size: number): void {
  if (map.size <= size) return;
  for (const key of [...map.keys()].slice(size)) map.delete(key);
}
