import type { Message } from "@longhaul/conversation";
import type { View } from "../contract/view.ts";
import type { Ask, MadeMessage } from "../edits/edit.ts";

/** Stands where messages were dropped, so that the model knows that something is missing. */
export function droppedNote(count: number): MadeMessage {
  const messages = count === 1 ? "1 earlier message" : `${count} earlier messages`;
  return { role: "user", parts: [`${NOTE_START}${messages} removed to fit the context window ⟩`] };
}

const NOTE_START = "⟨ ";

const SUMMARY_START = "[Earlier conversation summary: ";
const SUMMARY_END = "]";

/** Stands where messages were summarised. */
export function summaryNote(summary: string | Ask): MadeMessage {
  return { role: "system", parts: [SUMMARY_START, summary, SUMMARY_END] };
}

/** The text of the summary in a message that `summaryNote` made; nothing where it is no such message. */
export function summaryIn(message: Message): string | undefined {
  const text = onlyText(message);
  if (message.role !== "system" || !text?.startsWith(SUMMARY_START) || !text.endsWith(SUMMARY_END)) return undefined;
  return text.slice(SUMMARY_START.length, -SUMMARY_END.length);
}

/**
 * The summary that a message of a view is: one that an earlier pass or an earlier turn made, or one that the client marked as its own
 * (Roo's `isSummary`). Nothing for a message that somebody said, and for a note of dropped messages.
 */
export function earlierSummary(view: View, index: number): string | undefined {
  const message = view.conversation.messages[index];
  const text = message === undefined ? undefined : onlyText(message);
  if (message === undefined || text === undefined) return undefined;
  const isMarked = message.extra?.isSummary === true;
  const isOurs = view.isMade(index) && !text.startsWith(NOTE_START);
  return summaryIn(message) ?? (isMarked || isOurs ? text : undefined);
}

function onlyText({ blocks }: Message): string | undefined {
  const [block] = blocks;
  return blocks.length === 1 && block?.type === "text" ? block.text : undefined;
}
