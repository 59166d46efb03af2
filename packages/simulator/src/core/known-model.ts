import { type Catalog, findModel, type Model } from "@longhaul/models/catalog";

/** Where to look a model up, and whose models are served there. */
interface Shelf {
  readonly platform: string;
  readonly vendors: readonly string[];
}

/**
 * The model with exactly this id, as the place itself spells it; nothing where it has none. A name that somebody told the catalog of is
 * served everywhere.
 */
export function knownModel(catalog: Catalog, id: string, { platform, vendors }: Shelf): Model | undefined {
  const { model, matchedBy, upstreamId } = findModel(catalog, id, platform);
  if (matchedBy === "override") return model;
  const isListed = matchedBy !== "family" && matchedBy !== "default";
  return isListed && upstreamId === id && (vendors.includes(model.vendor) || model.vendor === "unknown")
    ? model
    : undefined;
}

/** The models of a shelf, for lists. */
export function modelsOn({ models }: Catalog, { platform, vendors }: Shelf): readonly Model[] {
  return models.filter((model) => model.platform === platform && vendors.includes(model.vendor));
}
