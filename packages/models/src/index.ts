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
  REASONING_NEEDS,
  type ReasoningPlan,
  type WishedReasoning,
} from "./reasoning/plan-reasoning.ts";
export {
  fitsPattern,
  inLevels,
  type ReasoningKind,
  type ReasoningPatterns,
  withPatterns,
} from "./reasoning/reasoning-patterns.ts";
export {
  parseWish,
  type ReasoningWish,
  spellWish,
  wishOfReasoning,
  wishOfSettings,
} from "./reasoning/requested-reasoning.ts";
export { charactersOverFour, type TextCounter } from "./tokens/bpe/byte-pair-counter.ts";
export {
  type Calibration,
  calibrationSchema,
  hasMedia,
  type Lesson,
  learn,
  startCalibration,
} from "./tokens/calibration.ts";
export { type EncodingName, loadTextCounter } from "./tokens/encodings.ts";
export type { Size } from "./tokens/measure.ts";
export { imageSize, type PixelSize } from "./tokens/media/images.ts";
export { makeSizeMemory, type SizeMemory, type SizeMemoryOptions } from "./tokens/size-memory.ts";
export type { HeadSizes, RememberingCounter, TokenCounter } from "./tokens/token-counters.ts";
export {
  makeRoughCounter,
  makeTokenCounter,
  makeTokenCounters,
  type TokenCounterOptions,
  type TokenCounters,
  type TokenCountersOptions,
} from "./tokens/token-counters.ts";
export { type Frame, TOKENIZER_FAMILIES, type TokenizerFamily } from "./tokens/tokenizer-families.ts";
