export { BETAS, type ClaudePlatform } from "./catalog/betas.ts";
export { findModel, type ModelMatch } from "./catalog/find-model.ts";
export { type Catalog, loadCatalog } from "./catalog/load-catalog.ts";
export type { Accounting, Facts, Model, Overrides, Prices, Tokenizer } from "./catalog/model.ts";
export { type Bill, billOf, type ChangedPrompt, savedPerCall, uncachedCost, usageWith } from "./catalog/money.ts";
export { withoutPlatform } from "./catalog/names.ts";
export { parseOverrides } from "./catalog/overrides.ts";
export { completePrices, costOf } from "./catalog/prices.ts";
export * from "./reasoning/model-suffix.ts";
export {
  ANSWER_TOKENS,
  describeReasoning,
  planReasoning,
  REASONING_ADVICE,
  type ReasoningAdjustment,
  type ReasoningPlan,
  type ReasoningQuery,
} from "./reasoning/plan-reasoning.ts";
export * from "./reasoning/reasoning-patterns.ts";
export * from "./reasoning/requested-reasoning.ts";
export { countByCharacters, type TextCounter } from "./tokens/bpe/byte-pair-counter.ts";
export * from "./tokens/calibration.ts";
export { type EncodingName, loadTextCounter } from "./tokens/encodings.ts";
export type { Size } from "./tokens/measure.ts";
export { imageSize, type PixelSize } from "./tokens/media/images.ts";
export * from "./tokens/size-cache.ts";
export * from "./tokens/token-counters.ts";
export * from "./tokens/tokenizer-families.ts";
