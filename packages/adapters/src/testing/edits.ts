import { type Ask, apply, type Draft, type Edit, openDraft } from "@longhaul/condense/advanced";
import { type Conversation, pureHash, textMessage } from "@longhaul/conversation/advanced";

export const ASK: Ask = {
  kind: "ask",
  messages: [textMessage("user", "Hello")],
  instructions: "Sum it up.",
  maxTokens: 50,
  expectedTokens: 10,
};

/** Replaces a text's first character with an ellipsis. */
export function cut(message: number, block: number, path: readonly number[] = []): Edit {
  return {
    kind: "splice",
    at: { message, block, path },
    splices: [{ from: 0, to: 1, text: "…" }],
    reason: "truncate",
  };
}

export function edited(conversation: Conversation, edits: readonly Edit[]): Draft {
  return apply(openDraft(conversation), edits, { answers: [], hash: pureHash });
}
