import { findModel } from "../catalog/find-model.ts";
import type { Catalog } from "../catalog/load-catalog.ts";

/** Whether a whole name, with nothing behind it, stands for a model that the catalog lists or that an override tells of. */
export function knowsModel(catalog: Catalog, name: string): boolean {
  const { matchedBy, suffix } = findModel(catalog, name);
  return suffix === undefined && matchedBy !== "family" && matchedBy !== "default" && !BARE_VARIANT.test(name);
}

/** A variant of OpenRouter's where the name is a vendor's own: it can only be meant as a wish. */
const BARE_VARIANT = /^[^/]*:thinking$/i;
