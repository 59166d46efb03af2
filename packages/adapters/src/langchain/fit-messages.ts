import { AIMessage, type BaseMessage, type UsageMetadata } from "@langchain/core/messages";
import { type Answer, type Ask, renderAsk } from "@longhaul/condense";
import type { FittingOptions, Reported } from "../contract.ts";
import { openFitting } from "../fitting.ts";
import { decodeMessages, leadingInstructions } from "./decode-messages.ts";
import { encodeMessages } from "./encode-messages.ts";

/** How messages are made to fit. Only the model is required. */
export interface FitMessagesOptions extends FittingOptions {
  /** The id of the model that reads the messages. The catalog has its window, tokenizer and prices. */
  readonly model: string;
  readonly maxOutputTokens?: number;
  /** A chat model that writes summaries. @default none: summaries are written without a model */
  readonly summarizer?: Summarizer;
}

/**
 * Makes a function that condenses messages that exceed a model's context window. Use it before `model.invoke`, in a `RunnableLambda` or in
 * a graph's node. Messages that fit are returned unchanged. Use one function for all calls of a conversation, because it remembers its
 * condensations.
 */
export function fitMessages(options: FitMessagesOptions): (messages: readonly BaseMessage[]) => Promise<BaseMessage[]> {
  const { model, maxOutputTokens, summarizer } = options;
  const fit = openFitting(options);
  return async (messages) => {
    const reported = lastReport(messages);
    const { draft } = await fit({
      conversation: decodeMessages(messages),
      model,
      ...(reported && { reported }),
      ...(maxOutputTokens !== undefined && { maxOutputTokens }),
      ...(summarizer && { summarize: summarizeWith(summarizer) }),
    });
    return encodeMessages(draft, messages);
  };
}

/** Returns the prompt size that the latest reply with usage reported. */
function lastReport(messages: readonly BaseMessage[]): Reported | undefined {
  for (const [index, message] of [...messages.entries()].toReversed()) {
    const tokens = AIMessage.isInstance(message) ? promptTokens(message) : undefined;
    if (tokens !== undefined) return { tokens, messages: index - leadingInstructions(messages) };
  }
  return undefined;
}

function promptTokens({ usage_metadata: usage }: AIMessage): number | undefined {
  // With exact optional properties, LangChain's own types lose this one.
  const { input_tokens: tokens }: Partial<UsageMetadata> = usage ?? {};
  return tokens;
}

/** Makes a `preModelHook` for LangGraph agents: the model reads messages that fit, the state keeps all of them. */
export function fitMessagesHook(
  options: FitMessagesOptions,
): (state: { readonly messages: readonly BaseMessage[] }) => Promise<{ llmInputMessages: BaseMessage[] }> {
  const fit = fitMessages(options);
  return async ({ messages }) => ({ llmInputMessages: await fit(messages) });
}

/** A chat model, or anything else that answers a text with a message. */
export interface Summarizer {
  invoke(text: string): Promise<BaseMessage>;
}

export function summarizeWith(summarizer: Summarizer): (ask: Ask) => Promise<Answer> {
  return async (ask) => {
    const text = (await summarizer.invoke(renderAsk(ask))).text.trim();
    return text === "" ? { kind: "failed", why: "the summarizer wrote nothing" } : { kind: "text", text };
  };
}
