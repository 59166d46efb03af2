export { BETAS, type ClaudePlatform } from "./catalog/betas.ts";
export { findModel, type ModelMatch } from "./catalog/find-model.ts";
export { type Catalog, loadCatalog } from "./catalog/load-catalog.ts";
export type { Accounting, Facts, Model, Prices, Tokenizer } from "./catalog/model.ts";
export { type Overrides, overridesSchema } from "./catalog/overrides.ts";
export { completePrices } from "./catalog/prices.ts";
export { costOf, usageAsReported } from "./cost.ts";
export type { TokenCounter } from "./tokens/token-counter.ts";
