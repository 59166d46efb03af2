export { BETAS, type ClaudePlatform } from "./catalog/betas.ts";
export { findModel, type ModelMatch } from "./catalog/find-model.ts";
export { type Catalog, loadCatalog } from "./catalog/load-catalog.ts";
export type { Accounting, Facts, Model, Prices, Tokenizer } from "./catalog/model.ts";
export { withoutPlatform } from "./catalog/names.ts";
export { type Overrides, overridesSchema } from "./catalog/overrides.ts";
export { completePrices, costOf } from "./catalog/prices.ts";
export {
  type KnownNames,
  knowsModel,
  type ModelSuffix,
  type NamedModel,
  parseModelName,
} from "./reasoning/model-suffix.ts";
export type { ReasoningAdjustment } from "./reasoning/plan-reasoning.ts";
export {
  ANSWER_TOKENS,
  describeReasoning,
  planReasoning,
  REASONING_ADVICE,
  type ReasoningPlan,
  type ReasoningQuery,
} from "./reasoning/plan-reasoning.ts";
export {
  applyPatterns,
  matchesPattern,
  type ReasoningKind,
  type ReasoningPatterns,
  withLevelsOnly,
} from "./reasoning/reasoning-patterns.ts";
export {
  formatReasoning,
  parseReasoning,
  type RequestedReasoning,
  reasoningFromRequest,
  reasoningFromSettings,
} from "./reasoning/requested-reasoning.ts";
export { countByCharacters, type TextCounter } from "./tokens/bpe/byte-pair-counter.ts";
export {
  type Calibration,
  type CalibrationSample,
  calibrate,
  calibrationSchema,
  hasMedia,
  startCalibration,
} from "./tokens/calibration.ts";
export { type EncodingName, loadTextCounter } from "./tokens/encodings.ts";
export type { Size } from "./tokens/measure.ts";
export { imageSize, type PixelSize } from "./tokens/media/images.ts";
export {
  makeSizeCache,
  type SizeCache,
  type SizeCacheOptions,
} from "./tokens/size-cache.ts";
export type { CachingCounter, HeadSizes, TokenCounter } from "./tokens/token-counters.ts";
export {
  makeRoughCounter,
  makeTokenCounter,
  makeTokenCounters,
  type TokenCounterOptions,
  type TokenCounters,
  type TokenCountersOptions,
} from "./tokens/token-counters.ts";
export { type Overhead, TOKENIZER_FAMILIES, type TokenizerFamily } from "./tokens/tokenizer-families.ts";
