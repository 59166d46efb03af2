import type { JsonObject, Message } from "@longhaul/conversation";
import type { DecodedEntry } from "../../messages/entries.ts";
import { textAt } from "../../reading/fields.ts";
import type { LoggedCall, LoggedCompaction, LoggedPrompt } from "../../reading/reading.ts";
import { callRecord } from "./call.ts";
import { isReasoning } from "./message.ts";

/** What the entries of a history say. */
export interface Transcript {
  readonly messages: readonly Message[];
  readonly calls: readonly LoggedCall[];
  readonly compactions: readonly LoggedCompaction[];
}

/**
 * Turns entries into messages and calls. An entry that condensing or truncating took out of the prompt names the entry that stands for it;
 * where both are still there, the stand-in is a compaction and no message.
 */
export function transcribe(entries: readonly DecodedEntry[]): Transcript {
  const hiders = new Set(entries.flatMap(({ entry }) => hiddenBy(entry)));
  const draft: Draft = { said: [], replies: [], compactions: [], active: new Set(), thoughts: [], window: { from: 0 } };
  for (const entry of entries) {
    const id = standInId(entry.entry);
    if (id !== undefined && hiders.has(id)) addCompaction(draft, entry, id);
    else if (isReasoning(entry.entry)) draft.thoughts.push(entry);
    else addMessage(draft, entry);
  }
  for (const thought of draft.thoughts) draft.said.push(thought);
  const messages = draft.said.map(({ message }) => message);
  return { messages, calls: draft.replies.map((reply) => asCall(draft, reply)), compactions: draft.compactions };
}

interface Draft {
  readonly said: DecodedEntry[];
  readonly replies: { readonly reply: number; readonly prompt: LoggedPrompt }[];
  readonly compactions: LoggedCompaction[];
  /** Ids of the compactions so far. */
  readonly active: Set<string>;
  /** Reasoning that waits for its reply. */
  readonly thoughts: DecodedEntry[];
  /** What stands in the prompt before the messages to come. */
  window: Omit<LoggedPrompt, "to">;
}

function addMessage(draft: Draft, entry: DecodedEntry): void {
  const thoughts = draft.thoughts.splice(0);
  if (entry.message.role !== "assistant") {
    for (const said of [...thoughts, entry]) draft.said.push(said);
    return;
  }
  const index = draft.said.push({ ...entry, message: withThoughts(entry.message, thoughts) }) - 1;
  draft.replies.push({ reply: index, prompt: { ...draft.window, to: index } });
}

function withThoughts(message: Message, thoughts: readonly DecodedEntry[]): Message {
  if (thoughts.length === 0) return message;
  const { role, blocks } = message;
  return { role, blocks: [...thoughts.flatMap((thought) => thought.message.blocks), ...blocks] };
}

function addCompaction(draft: Draft, { line, message }: DecodedEntry, id: string): void {
  draft.active.add(id);
  const isHidden = ({ entry }: DecodedEntry) => hiddenBy(entry).some((hider) => draft.active.has(hider));
  const head = draft.said.findIndex(isHidden);
  const keptFrom = draft.said.findLastIndex(isHidden) + 1;
  const summary = message.blocks.flatMap((block) => (block.type === "text" ? block.text : [])).join("\n");
  draft.compactions.push({ kind: "compaction", line, at: draft.said.length, keptFrom, summary });
  draft.window = { ...(head > 0 && { head }), summary: message, from: keptFrom };
}

function asCall({ said }: Draft, { reply, prompt }: Draft["replies"][number]): LoggedCall {
  const entry = said[reply]?.entry ?? {};
  const record = callRecord({ entry, before: said[reply - 1]?.message, after: said[reply + 1]?.message });
  return { ...record, prompt, reply };
}

function standInId(entry: JsonObject): string | undefined {
  if (entry.isSummary === true) return textAt(entry, "condenseId");
  return entry.isTruncationMarker === true ? textAt(entry, "truncationId") : undefined;
}

function hiddenBy(entry: JsonObject): string[] {
  return [textAt(entry, "condenseParent"), textAt(entry, "truncationParent")].filter((id) => id !== undefined);
}
