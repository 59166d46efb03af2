import { AIMessage, type BaseMessage, type UsageMetadata } from "@langchain/core/messages";
import { type Answer, type Ask, renderAsk } from "@longhaul/condense";
import type { FittingOptions, Reported } from "../contract.ts";
import { openFitting } from "../fitting.ts";
import { decodeMessages, leadingInstructions } from "./decode-messages.ts";
import { encodeMessages } from "./encode-messages.ts";

/** How messages are made to fit. Only the model must be named. */
export interface FitMessagesOptions extends FittingOptions {
  /** The id of the model that the messages are for: its window, its way of counting and its prices are in the catalog. */
  readonly model: string;
  /** The most tokens that the reply may have. */
  readonly maxOutputTokens?: number;
  /** Writes summaries: any chat model. @default summaries are made without a model */
  readonly summarizer?: Summarizer;
}

/**
 * Makes a function that makes messages fit a model's context window, for wherever messages go to a model: before `model.invoke`, in a
 * `RunnableLambda`, in a graph's node. Messages that fit come back as they are. Use one for all calls of a conversation: it remembers what
 * was condensed.
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

/** What the latest reply that has its usage with it tells of its prompt. */
function lastReport(messages: readonly BaseMessage[]): Reported | undefined {
  for (const [index, message] of [...messages.entries()].toReversed()) {
    const tokens = AIMessage.isInstance(message) ? promptTokens(message) : undefined;
    if (tokens !== undefined) return { tokens, messages: index - leadingInstructions(messages) };
  }
  return undefined;
}

function promptTokens({ usage_metadata: usage }: AIMessage): number | undefined {
  // LangChain's own types lose this one where optional properties are exact.
  const { input_tokens: tokens }: Partial<UsageMetadata> = usage ?? {};
  return tokens;
}

/**
 * The same as a `preModelHook` of LangGraph's agents: the model reads messages that fit, and the graph's state keeps all of them.
 */
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

/** Answers asks by calling a model. */
export function summarizeWith(summarizer: Summarizer): (ask: Ask) => Promise<Answer> {
  return async (ask) => {
    const text = (await summarizer.invoke(renderAsk(ask))).text.trim();
    return text === "" ? { kind: "failed", why: "the summarizer wrote nothing" } : { kind: "text", text };
  };
}
