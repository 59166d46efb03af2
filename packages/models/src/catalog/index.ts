export { findModel, type ModelMatch } from "./find-model.ts";
export { type Catalog, loadCatalog } from "./load-catalog.ts";
export type { Model, Prices } from "./model.ts";
export { parseOverrides } from "./overrides.ts";
