import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4Middleware,
  LanguageModelV4Prompt,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
} from "@ai-sdk/provider";
import { type Ask, renderAsk } from "@longhaul/condense";
import type { Usage } from "@longhaul/conversation";
import type { FittingCall, FittingOptions, ModelAnswer } from "../contract.ts";
import { type Fitted, openFitting } from "../fitting.ts";
import { decodePrompt } from "./decode-prompt.ts";
import { encodePrompt } from "./encode-prompt.ts";

/** How prompts are made to fit. All options have defaults. */
export type FitOptions = FittingOptions & {
  /** The model that writes summaries: the wrapped model itself, another one, or none. @default "same" */
  readonly summarizer?: "same" | "none" | LanguageModelV4;
};

/**
 * Makes a middleware for `wrapLanguageModel` that condenses every prompt that exceeds the model's context window. Other prompts are passed
 * on unchanged. Use one middleware for all calls of a conversation, because it remembers its condensations.
 */
export function fitToWindow(options: FitOptions = {}): LanguageModelV4Middleware {
  const fit = openFitting(options, { caller: "fitToWindow" });
  const sent = new WeakMap<LanguageModelV4Prompt, Fitted>();
  const learnFrom = (prompt: LanguageModelV4Prompt, { inputTokens }: LanguageModelV4Usage) => {
    if (inputTokens.total !== undefined) sent.get(prompt)?.learn(inputTokens.total);
  };
  return {
    specificationVersion: "v4",
    transformParams: async ({ params, model }) => {
      const fitted = await fit(callOf(params, { model, options }));
      const prompt = encodePrompt(fitted.draft, params.prompt);
      sent.set(prompt, fitted);
      return { ...params, prompt };
    },
    wrapGenerate: async ({ doGenerate, params }) => {
      const result = await doGenerate();
      learnFrom(params.prompt, result.usage);
      return result;
    },
    wrapStream: async ({ doStream, params }) => {
      const { stream, ...rest } = await doStream();
      return { ...rest, stream: stream.pipeThrough(watchUsage((usage) => learnFrom(params.prompt, usage))) };
    },
  };
}

function callOf(
  { prompt, tools, maxOutputTokens }: LanguageModelV4CallOptions,
  { model, options }: { model: LanguageModelV4; options: FitOptions },
): FittingCall {
  return {
    conversation: decodePrompt(prompt, tools),
    model: model.modelId,
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    ...summarizing(options.summarizer, model),
  };
}

function watchUsage(onUsage: (usage: LanguageModelV4Usage) => void): TransformStream<Streamed, Streamed> {
  return new TransformStream({
    transform: (part, controller) => {
      if (part.type === "finish") onUsage(part.usage);
      controller.enqueue(part);
    },
  });
}

type Streamed = LanguageModelV4StreamPart;

function summarizing(
  summarizer: FitOptions["summarizer"] = "same",
  wrapped: LanguageModelV4,
): Pick<FittingCall, "summarize"> {
  if (summarizer === "none") return {};
  return { summarize: summarizeWith(summarizer === "same" ? wrapped : summarizer) };
}

/** The call has no signal, because the summary belongs to the conversation and not to one caller. */
export function summarizeWith(model: LanguageModelV4): (ask: Ask) => Promise<ModelAnswer> {
  return async (ask) => {
    const { content, usage } = await model.doGenerate({
      prompt: [{ role: "user", content: [{ type: "text", text: renderAsk(ask) }] }],
      maxOutputTokens: ask.maxTokens,
    });
    const text = content.map((part) => (part.type === "text" ? part.text : "")).join("");
    const spent = { usage: usageOf(usage), model: model.modelId };
    if (text.trim() === "") return { kind: "failed", why: `${model.modelId} wrote nothing`, ...spent };
    return { kind: "text", text: text.trim(), ...spent };
  };
}

function usageOf({ inputTokens, outputTokens }: LanguageModelV4Usage): Usage {
  const { total = 0, cacheRead = 0, cacheWrite = 0 } = inputTokens;
  return {
    inputTokens: inputTokens.noCache ?? Math.max(0, total - cacheRead - cacheWrite),
    cacheReadTokens: cacheRead,
    cacheWriteTokens: cacheWrite,
    outputTokens: outputTokens.total ?? 0,
  };
}
