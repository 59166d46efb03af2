import { assemble } from "./assemble.ts";
import type { Catalog } from "./load-catalog.ts";
import type { Model } from "./model.ts";
import { type MatchedBy, platformIn, type Reading, readings, vendorIn, vendorName } from "./names.ts";

/** What a name was found to mean. */
export interface ModelMatch {
  readonly model: Model;
  /** How the name led there; `override`, `family` and `default` mean that the catalog doesn't list it. */
  readonly matchedBy: MatchedBy | "override" | "family" | "default";
  /** The name to send upstream: without routing prefix and suffix, in the platform's own spelling. */
  readonly upstreamId: string;
  /** What a client put behind the name to say how hard to think: `high`, `16k`. */
  readonly suffix?: string;
  /** What to tell the user, where something had to be assumed. */
  readonly warning?: string;
}

/**
 * Finds out which model a name means; never fails. `platform` is where the request will go: it decides between the same model's ids
 * and prices in different places. Without it the name's own prefix decides, else the vendor's platform.
 */
export function findModel(catalog: Catalog, name: string, platform?: string): ModelMatch {
  const place = platform ?? platformIn(name);
  for (const reading of readings(name)) {
    const hits = catalog.byKey.get(reading.key);
    const model = hits === undefined ? undefined : choose(catalog, hits, { place, lead: reading.lead });
    if (model !== undefined) return matchOf(model, reading, place);
  }
  return assume(catalog, name, place);
}

interface Wanted {
  readonly place: string | undefined;
  readonly lead: string;
}

function choose(catalog: Catalog, hits: readonly Model[], { place, lead }: Wanted): Model | undefined {
  const [likeliest] = hits;
  if (likeliest === undefined || place === undefined) return likeliest;
  const isThere = (model: Model) => model.platform === place;
  const near = hits.some(isThere) ? hits : (catalog.byKey.get(likeliest.name) ?? []);
  const there = near.filter(isThere);
  return there.find(({ id }) => lead !== "" && id.startsWith(lead)) ?? there[0] ?? likeliest;
}

function matchOf(model: Model, reading: Reading, place: string | undefined): ModelMatch {
  return {
    model,
    matchedBy: howMatched(model, reading),
    upstreamId: upstreamId(model, reading, place),
    ...(reading.suffix !== "" && { suffix: reading.suffix }),
  };
}

function howMatched(model: Model, { key, by }: Reading): MatchedBy {
  if (key === model.name || key === model.id.toLowerCase()) return by;
  if (model.aliases.some((alias) => alias.toLowerCase() === key)) return "alias";
  return by === "id" && key.includes("/") ? "prefix" : by;
}

/** Keeps a pinned date, region or variant where the platform would understand it, else takes the platform's own id. */
function upstreamId(model: Model, { key, lead, tail }: Reading, place: string | undefined): string {
  const kept = isUnderstood(tail, model.platform) ? tail : "";
  if (key === model.id.toLowerCase()) return `${model.id}${kept}`;
  const isOfPlatform = model.platform === (place ?? model.vendor);
  if (!isOfPlatform) return `${lead}${key}${tail}`;
  const isPinned = key === model.name && `${lead}${kept}` !== "";
  const isItsForm = (lead !== "") === (model.platform === "bedrock") && model.platform !== "openrouter";
  return isPinned && isItsForm ? `${lead}${key}${kept}` : model.id;
}

function isUnderstood(tail: string, platform: string): boolean {
  if (platform === "openrouter") return true;
  if (platform === "bedrock") return !tail.includes("@");
  if (platform === "vertex") return !tail.startsWith("-20") && !tail.includes(":");
  return !tail.includes("@") && !tail.includes(":");
}

function assume(catalog: Catalog, name: string, place: string | undefined): ModelMatch {
  const id = name.trim() === "" ? "(no name)" : name;
  const subject = { platform: place ?? "other", id, name: vendorName(id) || id };
  const model = assemble(subject, { vendor: vendorIn(id) || "unknown" }, catalog.layers);
  const isTold = catalog.layers.overrides.some(({ fits, facts }) => facts.window !== undefined && fits(subject));
  if (isTold) return { model, matchedBy: "override", upstreamId: name };
  const isOfFamily = catalog.layers.families.slice(1).some(({ fits }) => fits(subject));
  return { model, matchedBy: isOfFamily ? "family" : "default", upstreamId: name, warning: describeGuess(id, model) };
}

function describeGuess(id: string, { window, prices }: Model): string {
  const cost = prices === undefined ? " and no known prices" : "";
  return `model "${id}" is not in the catalog: assuming a window of ${window} tokens${cost}; add an override with its real window`;
}
