export { findModel, type ModelMatch } from "./catalog/find-model.ts";
export { type Catalog, loadCatalog } from "./catalog/load-catalog.ts";
export type { Model, Prices, Tokenizer } from "./catalog/model.ts";
export { costOf } from "./catalog/prices.ts";
export {
  type CachingCounter,
  makeRoughCounter,
  makeTokenCounters,
  type TokenCounter,
  type TokenCounters,
  type TokenCountersOptions,
} from "./tokens/token-counters.ts";
