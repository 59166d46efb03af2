import type { EventsAnswer, ExamplesAnswer } from "@longhaul/settings";
import { spellAgo, spellCount } from "../format.ts";

/** Which conversation something is tried on. */
export type Conversation =
  | { readonly example: string }
  | { readonly requestId: string }
  | { readonly text: string; readonly name: string };

/** A conversation that can be chosen. */
export interface ConversationOption {
  readonly value: string;
  readonly words: string;
  readonly conversation: Conversation;
}

/** The examples that everybody has. */
export function exampleOptions({ examples }: ExamplesAnswer): readonly ConversationOption[] {
  return examples.map(({ id, name, messages }) => ({
    value: `example ${id}`,
    words: `${name}, ${messages} messages`,
    conversation: { example: id },
  }));
}

/** The newest request of each session, of those whose contents are kept. */
export function keptOptions(
  { requests }: EventsAnswer,
  { keep, nowMs }: { readonly keep: unknown; readonly nowMs: number },
): readonly ConversationOption[] {
  const isKept = ({ origin }: EventsAnswer["requests"][number]) =>
    keep === "all" || (keep === "condensed" && origin !== "");
  const nameOf = ({ tenant, session }: EventsAnswer["requests"][number]) => `${tenant} ${session}`;
  const kept = requests.filter(isKept);
  const newest = kept.filter((request, at) => kept.findIndex((other) => nameOf(other) === nameOf(request)) === at);
  return newest.map(({ id, session, originalTokens, atMs }) => ({
    value: `request ${id}`,
    words: `${session}, ${spellCount(originalTokens)} tokens, ${spellAgo(atMs, nowMs)}`,
    conversation: { requestId: id },
  }));
}

/** The conversation as the API takes it. */
export function asBody(conversation: Conversation): object {
  return "text" in conversation ? { text: conversation.text } : conversation;
}
