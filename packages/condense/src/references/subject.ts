import { type Hash, stableStringify } from "@longhaul/conversation";
import type { Content, ToolUse } from "../content/content.ts";
import { actionOf, toolSubject } from "../content/tool-action.ts";
import { samePosition, type TextPosition } from "../edits/text-position.ts";
import { describe } from "./marker.ts";

/** Names what a result is of: the same tool with the same input, errors apart. Nothing for reads and what clients add by themselves. */
export function operationKey(content: Content): string | undefined {
  const use = operationOf(content);
  return use && stableStringify([use.name, use.input, use.isError]);
}

/** As `operationKey`, but only the folder, pattern or command must be the same. */
export function subjectKey(content: Content): string | undefined {
  const use = operationOf(content);
  return use && stableStringify([use.name, toolSubject(use) ?? use.input, use.isError]);
}

function operationOf({ level, use }: Content): Content["use"] {
  const isOperation = level === "result" && use !== undefined && use.callMessage !== -1 && actionOf(use) !== "read";
  return isOperation ? use : undefined;
}

interface Given {
  readonly at: TextPosition;
  /** How many equal results there are up to this one; worked out when first asked for. */
  times?: number;
}

/** The results of operations in reading order, and how often each was given. It holds places and no texts. */
export class GivenResults {
  readonly #textAt: (at: TextPosition) => string | undefined;
  readonly #given = new Map<string, Given[]>();
  /** The operation of each result. */
  readonly #operations: string[] = [];

  constructor(textAt: (at: TextPosition) => string | undefined) {
    this.#textAt = textAt;
  }

  /** How many there are. */
  get count(): number {
    return this.#operations.length;
  }

  /** Adds a text that an operation gave. A text of several stretches is one result. */
  add(operation: string, at: TextPosition): void {
    const given = this.#given.get(operation) ?? [];
    const last = given.at(-1);
    if (last !== undefined && samePosition(last.at, at)) return;
    this.#given.set(operation, given);
    given.push({ at });
    this.#operations.push(operation);
  }

  /** Forgets all but the first so many. */
  cut(count: number): void {
    while (this.count > count) this.#given.get(this.#operations.pop() ?? "")?.pop();
  }

  /** How often an operation has given what stands at a place, this one included. */
  times(operation: string, at: TextPosition): number {
    const given = this.#given.get(operation) ?? [];
    const index = given.findLastIndex((entry) => samePosition(entry.at, at));
    const found = given[index];
    if (found === undefined) return 1;
    found.times ??= 1 + this.#timesBefore(given.slice(0, index), this.#textAt(at));
    return found.times;
  }

  #timesBefore(given: readonly Given[], text: string | undefined): number {
    let times = 0;
    for (const entry of given.toReversed()) {
      if (this.#textAt(entry.at) !== text) continue;
      if (entry.times !== undefined) return times + entry.times;
      times++;
    }
    return times;
  }
}

/** What a text is, as far as markers that point to it need to know. */
export interface Subject {
  /** In a few words. */
  readonly name: string;
  /** Whether it is a file that a tool read. */
  readonly isRead: boolean;
  /** Tells which operation gave it as its result; nothing for texts that are no such results. */
  readonly operation: string | undefined;
}

/** What a content is; each part of that is worked out when first asked for. */
export function subjectOf(content: Content): Subject {
  let name: string | undefined;
  return {
    get name() {
      name ??= describe(content);
      return name;
    },
    get isRead() {
      return isRead(content);
    },
    get operation() {
      return operationKey(content);
    },
  };
}

/** What contents are, worked out at once and without holding them; operations stand by their hash. */
export function settledSubjects(hash: Hash): (content: Content) => Subject {
  const ofResults = new Map<ToolUse, Subject>();
  const settle = (content: Content): Subject => {
    const { name, isRead, operation } = subjectOf(content);
    return { name, isRead, operation: operation === undefined ? undefined : hash(operation) };
  };
  return (content) => {
    const { level, use } = content;
    if (level !== "result" || use === undefined) return settle(content);
    const subject = ofResults.get(use) ?? settle(content);
    ofResults.set(use, subject);
    return subject;
  };
}

/** Whether a content is a file that a tool read. */
export function isRead({ level, use }: Content): boolean {
  return level === "result" && use !== undefined && actionOf(use) === "read";
}
