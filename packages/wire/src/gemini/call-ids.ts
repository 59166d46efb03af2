import { pureHash } from "@longhaul/conversation";

/** What an id begins with that stands for none. Such ids are never sent to Gemini. */
const PLACEHOLDER = "gemini_call_";

/**
 * The id of a call or a result that came without one. Both have the tool's name, so they find each other: of several calls of one name
 * the results answer the oldest first (see `toolPairs`), which is how Gemini itself reads them.
 */
export function placeholderId(name: string): string {
  return `${PLACEHOLDER}${name}`;
}

/** The id of a call without one in a reply: unlike any in other replies, because clients of other formats tell calls apart by it. */
export function replyCallId(replyId: string, serial: number, words: string): string {
  return `${PLACEHOLDER}${replyId === "" ? pureHash(words) : replyId}_${serial}`;
}

/** Whether an id stands for none. */
export function isPlaceholder(id: string): boolean {
  return id.startsWith(PLACEHOLDER);
}
