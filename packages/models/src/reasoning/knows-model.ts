import { findModel } from "../catalog/find-model.ts";
import type { Catalog } from "../catalog/load-catalog.ts";

/** Whether a whole name, with nothing behind it, stands for a model that the catalog lists or that an override tells of. */
export function knowsModel(catalog: Catalog, name: string): boolean {
  const { matchedBy, suffix } = findModel(catalog, name);
  return suffix === undefined && matchedBy !== "family" && matchedBy !== "default";
}
