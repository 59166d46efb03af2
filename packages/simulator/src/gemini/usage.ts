import type { JsonObject } from "../core/json.ts";
import type { Output } from "../core/limit.ts";
import type { PromptBill } from "./caching.ts";
import type { GeminiPiece } from "./pieces.ts";
import type { GeminiRequest } from "./request.ts";

/** Usage as the API reports it: cached tokens are part of the prompt's, thoughts are apart from the candidates'. What is zero is left out. */
export function usageOf(bill: PromptBill, { tokens, thinking }: Output, { api }: GeminiRequest): JsonObject {
  const thoughts = thinking?.tokens ?? 0;
  return {
    promptTokenCount: bill.total,
    ...(tokens > thoughts && { candidatesTokenCount: tokens - thoughts }),
    totalTokenCount: bill.total + bill.toolUse + tokens,
    ...(bill.read > 0 && {
      cachedContentTokenCount: bill.read,
      cacheTokensDetails: [{ modality: "TEXT", tokenCount: bill.read }],
    }),
    promptTokensDetails: detailsOf(bill),
    ...(bill.toolUse > 0 && {
      toolUsePromptTokenCount: bill.toolUse,
      toolUsePromptTokensDetails: [{ modality: "TEXT", tokenCount: bill.toolUse }],
    }),
    ...(thoughts > 0 && { thoughtsTokenCount: thoughts }),
    ...(api === "vertex-gemini" && { trafficType: "ON_DEMAND" }),
  };
}

/** What a stream reports before it has ended. */
export function usageAtStart(bill: PromptBill): JsonObject {
  return {
    promptTokenCount: bill.total,
    totalTokenCount: bill.total + bill.toolUse,
    promptTokensDetails: detailsOf(bill),
  };
}

/** The prompt's tokens by kind of medium; they add up to all of them. */
export function detailsOf({ total, pieces }: Pick<PromptBill, "total" | "pieces">): readonly JsonObject[] {
  const others = new Map<GeminiPiece["modality"], number>();
  for (const { modality, tokens } of pieces)
    if (modality !== "TEXT") others.set(modality, (others.get(modality) ?? 0) + tokens);
  const media = [...others].map(([modality, tokenCount]) => ({ modality, tokenCount }));
  const text = total - media.reduce((sum, { tokenCount }) => sum + tokenCount, 0);
  return [{ modality: "TEXT", tokenCount: text }, ...media];
}
