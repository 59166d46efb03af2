import type { BaseMessage } from "@langchain/core/messages";
import { type Answer, type Ask, renderAsk } from "@longhaul/condense";

/** A chat model, or anything else that answers a text with a message. */
export interface Summarizer {
  invoke(text: string): Promise<BaseMessage>;
}

/** Answers asks by calling a model. */
export function summarizeWith(summarizer: Summarizer): (ask: Ask) => Promise<Answer> {
  return async (ask) => {
    const text = (await summarizer.invoke(renderAsk(ask))).text.trim();
    return text === "" ? { kind: "failed", why: "the summarizer wrote nothing" } : { kind: "text", text };
  };
}
