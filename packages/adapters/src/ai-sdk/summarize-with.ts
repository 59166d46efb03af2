import type { LanguageModelV4, LanguageModelV4Usage } from "@ai-sdk/provider";
import { type Answer, type Ask, renderAsk } from "@longhaul/condense";
import type { Usage } from "@longhaul/conversation";

/** Answers asks by calling a model. The call has no signal: the summary belongs to the conversation, not to whoever asked first. */
export function summarizeWith(model: LanguageModelV4): (ask: Ask) => Promise<Answer> {
  return async (ask) => {
    const { content, usage } = await model.doGenerate({
      prompt: [{ role: "user", content: [{ type: "text", text: renderAsk(ask) }] }],
      maxOutputTokens: ask.maxTokens,
    });
    const text = content.map((part) => (part.type === "text" ? part.text : "")).join("");
    if (text.trim() === "") return { kind: "failed", why: `${model.modelId} wrote nothing`, usage: usageOf(usage) };
    return { kind: "text", text: text.trim(), usage: usageOf(usage) };
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
