import type { Hash } from "@longhaul/conversation";
import type { Content, ToolUse } from "../content/content.ts";
import { workOf } from "../content/tool-work.ts";
import { describe } from "./marker.ts";
import { operationKey } from "./same-operation.ts";

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
  return level === "result" && use !== undefined && workOf(use) === "read";
}
