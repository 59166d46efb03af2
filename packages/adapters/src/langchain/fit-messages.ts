import { AIMessage, type BaseMessage, isBaseMessage, type UsageMetadata } from "@langchain/core/messages";
import { type Ask, type Report, renderAsk } from "@longhaul/condense";
import { LonghaulError, type Usage } from "@longhaul/conversation";
import type { FittingOptions, ModelAnswer, Reported } from "../contract.ts";
import { type Fitted, openFitting } from "../fitting.ts";
import { decodeMessages, leadingInstructions } from "./decode-messages.ts";
import { encodeMessages } from "./encode-messages.ts";

/** How messages are made to fit. Only the model is required. */
export type FitMessagesOptions = FittingOptions & {
  /** The id of the model that reads the messages. The catalog has its window, tokenizer and prices. */
  readonly model: string;
  readonly maxOutputTokens?: number;
  /** A chat model that writes summaries. @default none: summaries are written without a model */
  readonly summarizer?: Summarizer;
};

/**
 * Makes a function that condenses messages that exceed a model's context window. Use it before `model.invoke`, in a `RunnableLambda` or in
 * a graph's node. Messages that fit are returned unchanged. Use one function for all calls of a conversation, because it remembers its
 * condensations.
 */
export function fitMessages(options: FitMessagesOptions): (messages: readonly BaseMessage[]) => Promise<BaseMessage[]> {
  const fit = fitWith(options);
  return async (messages) => encodeMessages((await fit(messages)).draft, messages);
}

function fitWith(options: FitMessagesOptions): (messages: readonly BaseMessage[]) => Promise<Fitted> {
  const fit = openFitting(options, { caller: "fitMessages", required: ["model"] });
  const { model, maxOutputTokens, summarizer } = options;
  return async (messages) => {
    requireChat(messages);
    const reported = lastReport(messages);
    return await fit({
      conversation: decodeMessages(messages),
      model,
      ...(reported && { reported }),
      ...(maxOutputTokens !== undefined && { maxOutputTokens }),
      ...(summarizer && { summarize: summarizeWith(summarizer) }),
    });
  };
}

/** Throws `request.malformed` for messages of another format, which the types do not catch in plain JavaScript. */
function requireChat(messages: unknown): void {
  const stranger = Array.isArray(messages) ? messages.findIndex((message) => !isBaseMessage(message)) : 0;
  if (stranger === -1) return;
  const found = Array.isArray(messages) ? `messages[${stranger}] is not a LangChain message` : "messages is not a list";
  const remedy = `use condenseMessages from "@longhaul/adapters" for plain objects`;
  throw new LonghaulError("request.malformed", `${found}; ${remedy}`);
}

/** Condensed LangChain messages. */
export interface CondensedMessages {
  readonly messages: BaseMessage[];
  readonly tokens: number;
  /** Absent if the messages fit as they are. */
  readonly report?: Report;
  readonly warnings: readonly string[];
}

/** Condenses LangChain messages once, to a budget or to the model's window. Messages that fit are returned unchanged. */
export async function condenseMessages(
  messages: readonly BaseMessage[],
  options: FitMessagesOptions,
): Promise<CondensedMessages> {
  const { draft, tokens, condensation, warning } = await fitWith({ onWarning: () => {}, ...options })(messages);
  return {
    messages: encodeMessages(draft, messages),
    tokens,
    ...(condensation && { report: condensation.report }),
    warnings: warning === undefined ? [] : [warning],
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
  return async (state) => ({ llmInputMessages: await fit(state?.messages) });
}

/** A chat model, or anything else that answers a text with a message. */
export interface Summarizer {
  invoke(text: string): Promise<BaseMessage>;
}

export function summarizeWith(summarizer: Summarizer): (ask: Ask) => Promise<ModelAnswer> {
  return async (ask) => {
    const message = await summarizer.invoke(renderAsk(ask));
    const text = message.text.trim();
    const spent = spentOn(message);
    return text === ""
      ? { kind: "failed", why: "the summarizer wrote nothing", ...spent }
      : { kind: "text", text, ...spent };
  };
}

/** Returns what a reply says about its model and usage. */
function spentOn(message: BaseMessage): Pick<ModelAnswer, "usage" | "model"> {
  const { model_name: name, model = name } = message.response_metadata;
  const usage = AIMessage.isInstance(message) ? usageOf(message) : undefined;
  return { ...(typeof model === "string" && { model }), ...(usage && { usage }) };
}

function usageOf({ usage_metadata: usage }: AIMessage): Usage | undefined {
  const {
    input_tokens: input,
    output_tokens: outputTokens,
    input_token_details: details,
  }: Partial<UsageMetadata> = usage ?? {};
  if (input === undefined || outputTokens === undefined) return undefined;
  const { cache_read: cacheReadTokens = 0, cache_creation: cacheWriteTokens = 0 } = details ?? {};
  const inputTokens = Math.max(0, input - cacheReadTokens - cacheWriteTokens);
  return { inputTokens, cacheReadTokens, cacheWriteTokens, outputTokens };
}
