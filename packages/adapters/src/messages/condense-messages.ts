import type { Answer, Ask, Report } from "@longhaul/condense";
import type { FittingOptions } from "../contract.ts";
import { type Fitting, openFitting } from "../fitting.ts";
import { converterOf, formatOf, type MessageFormat, requireList, requireTools, type Tools } from "./formats.ts";

/** How messages are condensed. Only the model is required. */
export type CondenseMessagesOptions = FittingOptions & MessagesSettings;

/** The options for messages in addition to those of every adapter. */
interface MessagesSettings {
  /** The id of the model that reads the messages. The catalog has its window, tokenizer and prices. */
  readonly model: string;
  /** @default detected from the messages */
  readonly format?: MessageFormat;
  /** The system prompt, if it is not one of the messages: a text, or as in a request. It is counted and never changed. */
  readonly system?: unknown;
  /** The tools of the request, as a list or as the AI SDK's object. They are counted and never changed. */
  readonly tools?: Tools;
  readonly maxOutputTokens?: number;
  /** Writes a summary, usually by calling a model with `renderAsk(ask)`. @default summaries are written without a model */
  readonly summarize?: (ask: Ask) => Promise<Answer | string>;
}

/** Condensed messages, in the format of the given ones. */
export interface CondensedMessages<Message> {
  readonly messages: Message[];
  readonly format: MessageFormat;
  /** The size of the messages, with the system prompt and the tools. */
  readonly tokens: number;
  /** Absent if the messages fit as they are. */
  readonly report?: Report;
  readonly warnings: readonly string[];
}

/**
 * Condenses messages once, to a budget or to the model's window: of OpenAI's chat completions and Responses, Anthropic, Gemini or the AI
 * SDK. Returns messages of the same format; unchanged ones are the identical objects. Throws `request.too-large` if protected messages alone
 * do not fit, and `request.malformed` for other values.
 */
export function condenseMessages<Message>(
  messages: readonly Message[],
  options: CondenseMessagesOptions,
): Promise<CondensedMessages<Message>>;
export async function condenseMessages(
  messages: readonly unknown[],
  options: CondenseMessagesOptions,
): Promise<CondensedMessages<unknown>> {
  const fit = openFitting({ onWarning: () => {}, ...options }, { caller: "condenseMessages", required: ["model"] });
  return await fitWith(fit, messages, options);
}

/** Messages that fit, and a function that reports the vendor's count of them. */
export interface FittedMessages<Message> extends CondensedMessages<Message> {
  /** Learns from the usage of the reply: the number of its input tokens, with cached ones. */
  learn(reportedTokens: number): void;
}

/**
 * Makes a function that condenses the messages of a growing conversation when they exceed the model's window. Use one function for all calls
 * of a conversation: it remembers its condensations, so that later prompts keep the same prefix and the vendor's cache stays warm.
 */
export function fitMessages(
  options: CondenseMessagesOptions,
): <Message>(messages: readonly Message[]) => Promise<FittedMessages<Message>>;
export function fitMessages(
  options: CondenseMessagesOptions,
): (messages: readonly unknown[]) => Promise<FittedMessages<unknown>> {
  const fit = openFitting(options, { caller: "fitMessages", required: ["model"] });
  return async (messages) => await fitWith(fit, messages, options);
}

async function fitWith(
  fit: Fitting,
  given: readonly unknown[],
  { model, format: known, maxOutputTokens, summarize, system, tools: givenTools }: MessagesSettings,
): Promise<FittedMessages<unknown>> {
  const messages = requireList(given);
  const tools = requireTools(givenTools);
  const format = known ?? formatOf(messages, tools);
  const { decode, encode } = converterOf(format);
  const { draft, tokens, condensation, warning, learn } = await fit({
    conversation: decode(messages, { system, ...(tools && { tools }) }),
    model,
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    ...(summarize && { summarize: async (ask: Ask) => answerOf(await summarize(ask)) }),
  });
  return {
    messages: draft.conversation === draft.raw ? [...messages] : encode(draft, messages),
    format,
    tokens,
    ...(condensation && { report: condensation.report }),
    warnings: warning === undefined ? [] : [warning],
    learn,
  };
}

function answerOf(answer: Answer | string): Answer {
  return typeof answer === "string" ? { kind: "text", text: answer } : answer;
}
