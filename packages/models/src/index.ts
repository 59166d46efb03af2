export { BETAS, type ClaudePlatform } from "./catalog/betas.ts";
export { findModel, type ModelMatch } from "./catalog/find-model.ts";
export { type Catalog, loadCatalog } from "./catalog/load-catalog.ts";
export type { Accounting, Facts, Model, Prices, Tokenizer } from "./catalog/model.ts";
export { withoutPlatform } from "./catalog/names.ts";
export { type Overrides, overridesSchema } from "./catalog/overrides.ts";
export { completePrices } from "./catalog/prices.ts";
export { costOf } from "./cost.ts";
export { describeReasoning, REASONING_NEEDS } from "./reasoning/describe-reasoning.ts";
export type { ReasoningAdjustment } from "./reasoning/fit-answer.ts";
export { ANSWER_TOKENS } from "./reasoning/fit-answer.ts";
export {
  type KnownNames,
  knowsModel,
  type ModelSuffix,
  type NamedModel,
  parseModelName,
} from "./reasoning/model-suffix.ts";
export {
  planReasoning,
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
export { parseWish, type ReasoningWish, spellWish, wishOfReasoning, wishOfSettings } from "./reasoning/wish.ts";
export {
  type Calibration,
  calibrationSchema,
  hasMedia,
  type Lesson,
  learn,
  startCalibration,
} from "./tokens/calibration.ts";
export { type EncodingName, loadTextCounter } from "./tokens/encodings.ts";
export { makeTokenCounter, type TokenCounterOptions } from "./tokens/make-token-counter.ts";
export type { Size } from "./tokens/measure.ts";
export { imageSize, type PixelSize } from "./tokens/media/image-size.ts";
export { makeSizeMemory, type SizeMemory, type SizeMemoryOptions } from "./tokens/size-memory.ts";
export { charactersOverFour, type TextCounter } from "./tokens/text-counter.ts";
export type { HeadSizes, RememberingCounter, TokenCounter } from "./tokens/token-counter.ts";
export {
  makeRoughCounter,
  makeTokenCounters,
  type TokenCounters,
  type TokenCountersOptions,
} from "./tokens/token-counters.ts";
export { type Frame, TOKENIZER_FAMILIES, type TokenizerFamily } from "./tokens/tokenizer-families.ts";
