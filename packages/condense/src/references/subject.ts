import { type Hash, stableStringify } from "@longhaul/conversation/advanced";
import type { Content, ToolUse } from "../content/content.ts";
import { actionOf, toolSubject } from "../content/tool-action.ts";
import { samePosition, type TextPosition } from "../edits/text-position.ts";
import { describe, type TextName } from "./mark.ts";

/** Identifies the operation of a result: the same tool and input. Undefined for reads, errors and additions by the client. */
export function operationKey(content: Content): string | undefined {
  const use = operationOf(content);
  return use && stableStringify([use.name, use.input]);
}

/** Like `operationKey`, but compares only the folder, pattern or command of the input. */
export function subjectKey(content: Content): string | undefined {
  const use = operationOf(content);
  return use && stableStringify([use.name, toolSubject(use) ?? use.input]);
}

function operationOf({ level, use }: Content): Content["use"] {
  if (level !== "result" || use === undefined || use.callMessage === -1 || use.isError) return undefined;
  return actionOf(use) === "read" ? undefined : use;
}

interface SeenResult {
  readonly at: TextPosition;
  /** Number of equal results up to this one, computed on first use. */
  times?: number;
}

/** Results of operations in reading order, and how often each was returned. It holds positions and no texts. */
export class ResultCounter {
  readonly #textAt: (at: TextPosition) => string | undefined;
  readonly #given = new Map<string, SeenResult[]>();
  readonly #operations: string[] = [];

  constructor(textAt: (at: TextPosition) => string | undefined) {
    this.#textAt = textAt;
  }

  get count(): number {
    return this.#operations.length;
  }

  /** Adds a result of an operation. Several spans of one text are one result. */
  add(operation: string, at: TextPosition): void {
    const given = this.#given.get(operation) ?? [];
    const last = given.at(-1);
    if (last !== undefined && samePosition(last.at, at)) return;
    this.#given.set(operation, given);
    given.push({ at });
    this.#operations.push(operation);
  }

  /** Keeps only the first `count` results. */
  truncate(count: number): void {
    while (this.count > count) this.#given.get(this.#operations.pop() ?? "")?.pop();
  }

  /** Returns how often an operation has returned the result at a position, including this one. */
  timesReturned(operation: string, at: TextPosition): number {
    const given = this.#given.get(operation) ?? [];
    const index = given.findLastIndex((entry) => samePosition(entry.at, at));
    const found = given[index];
    if (found === undefined) return 1;
    found.times ??= 1 + this.#timesBefore(given.slice(0, index), this.#textAt(at));
    return found.times;
  }

  #timesBefore(given: readonly SeenResult[], text: string | undefined): number {
    let times = 0;
    for (const entry of given.toReversed()) {
      if (this.#textAt(entry.at) !== text) continue;
      if (entry.times !== undefined) return times + entry.times;
      times++;
    }
    return times;
  }
}

/** Description of a text for the marks that point to it. */
export interface Subject {
  readonly name: TextName;
  /** Whether it is a file that a tool read. */
  readonly isRead: boolean;
  /** Key of the operation that returned it; undefined for other texts. */
  readonly operation: string | undefined;
}

/** Describes a content; each property is computed on first use. */
export function subjectOf(content: Content): Subject {
  let name: TextName | undefined;
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

/** Like `subjectOf`, but computes everything at once and keeps no content; operations are hashed. */
export function eagerSubjects(hash: Hash): (content: Content) => Subject {
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
