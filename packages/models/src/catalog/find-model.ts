import { assemble } from "./assemble.ts";
import { formatCount } from "./format.ts";
import { type Catalog, UNLISTED } from "./load-catalog.ts";
import type { Model } from "./model.ts";
import {
  isBedrockId,
  type MatchedBy,
  platformIn,
  type Reading,
  readings,
  vendorIn,
  vendorName,
  withoutPlatform,
} from "./names.ts";

/** The result of a model lookup. */
export interface ModelMatch {
  readonly model: Model;
  /** How the name was matched; `override`, `family` and `default` mean that the catalog does not list it. */
  readonly matchedBy: MatchedBy | "override" | "family" | "default";
  /** The name to send upstream: without routing prefix and suffix, in the platform's own spelling. */
  readonly upstreamId: string;
  /** The reasoning suffix after the name: `high`, `16k`. */
  readonly suffix?: string;
  /** Warning for the user if something had to be assumed. */
  readonly warning?: string;
}

/**
 * Finds the model for a name; never fails. `platform` is where the request will go: it decides between ids and prices of the same model on
 * different platforms. By default the name's prefix decides, then the vendor's platform.
 */
export function findModel(catalog: Catalog, name: string, platform?: string): ModelMatch {
  const query = { name: name.trim(), platform: platform ?? platformIn(name) };
  for (const reading of readings(name)) {
    const [likeliest] = catalog.modelsUnder(reading.key);
    if (likeliest !== undefined) return matchOf(catalog, likeliest, { ...reading, ...query });
  }
  return assume(catalog, query);
}

function matchOf(catalog: Catalog, likeliest: Model, query: Reading & ModelQuery): ModelMatch {
  const model = listedOn(catalog, likeliest, query) ?? assumedOn(catalog, likeliest, query);
  return {
    model,
    matchedBy: howMatched(model, query),
    upstreamId: upstreamId(model, query),
    ...(query.suffix !== "" && { suffix: query.suffix }),
  };
}

/** A name and the platform that its model should run on, if known. */
interface ModelQuery {
  readonly name: string;
  readonly platform: string | undefined;
}

/** Returns the model as listed on the platform: by the key itself, otherwise by the vendor's name. */
function listedOn(
  catalog: Catalog,
  likeliest: Model,
  { key, lead, platform }: Reading & ModelQuery,
): Model | undefined {
  const isExact = key === likeliest.id.toLowerCase();
  const wanted = platform ?? (isExact ? likeliest.platform : likeliest.vendor);
  const candidates = [key, likeliest.name].flatMap(catalog.modelsUnder);
  const there = candidates.filter((model) => model.platform === wanted);
  return there.find(({ id }) => lead !== "" && id.startsWith(lead)) ?? there[0];
}

/** Returns a model on a platform that does not list it: its own facts with the platform's limits. */
function assumedOn(catalog: Catalog, likeliest: Model, query: Reading & ModelQuery): Model {
  if (query.platform === undefined) return likeliest;
  const subject = { platform: query.platform, id: nameAsGiven(query), name: likeliest.name };
  return assemble(subject, catalog.ownFacts(likeliest), catalog.layers);
}

function howMatched(model: Model, { key, by }: Reading): MatchedBy {
  if (key === model.name || key === model.id.toLowerCase()) return by;
  if (model.aliases.some((alias) => alias.toLowerCase() === key)) return "alias";
  if (by !== "id") return by;
  if (key.includes("/")) return "prefix";
  return key.startsWith(model.name) ? "date" : "spelling";
}

/** Keeps a pinned date, region or variant if the platform understands it, otherwise uses the platform's id. */
function upstreamId(model: Model, query: Reading & ModelQuery): string {
  const { key, lead, tail, platform } = query;
  const isItsPlatform = model.platform === (platform ?? model.vendor) || model.platform === UNLISTED;
  // The destination is unknown: its server may expect exactly this spelling.
  if (!isItsPlatform) return nameAsGiven(query);
  const kept = isUnderstood(tail, model.platform) ? tail : "";
  if (key === model.id.toLowerCase()) return `${model.id}${kept}`;
  if (model.platform === "bedrock") return isBedrockId(`${lead}${key}`) ? `${lead}${key}${kept}` : model.id;
  const pin = `${key.slice(model.name.length)}${tail}`;
  const isPinned = key.startsWith(model.name) && pin !== "" && lead === "" && isUnderstood(pin, model.platform);
  return isPinned && model.platform !== "openrouter" ? `${model.name}${pin}` : model.id;
}

/** The name without platform prefix and suffix. */
function nameAsGiven({ name, platform, key, tail }: Reading & ModelQuery): string {
  const bare = withoutPlatform(name, platform);
  const core = key.slice(key.lastIndexOf("/") + 1);
  const at = bare.toLowerCase().indexOf(core);
  return at < 0 ? `${key}${tail}` : `${bare.slice(0, at + core.length)}${tail}`;
}

function isUnderstood(tail: string, platform: string): boolean {
  if (platform === "openrouter") return true;
  if (platform === "bedrock") return !tail.includes("@");
  if (platform === "vertex") return !tail.startsWith("-20") && !tail.includes(":");
  return !tail.includes("@") && !tail.includes(":");
}

function assume(catalog: Catalog, { name, platform }: ModelQuery): ModelMatch {
  const bare = withoutPlatform(name, platform);
  const id = bare === "" ? "(no name)" : bare;
  const subject = { platform: platform ?? UNLISTED, id, name: vendorName(id) || id };
  const vendor = vendorIn(id) ?? "";
  const model = assemble(subject, vendor === "" ? {} : { vendor }, catalog.layers);
  const isOverridden = catalog.layers.overrides.some(({ fits, facts }) => facts.window !== undefined && fits(subject));
  if (isOverridden) return { model, matchedBy: "override", upstreamId: bare };
  const isOfFamily = catalog.layers.families.some(({ fits }) => fits(subject));
  return { model, matchedBy: isOfFamily ? "family" : "default", upstreamId: bare, warning: describeGuess(id, model) };
}

const MAX_SHOWN_CHARS = 100;

function describeGuess(id: string, model: Model): string {
  const remedy = model.prices === undefined ? "its prices are unknown; set both" : "set the real one";
  return `model "${id.slice(0, MAX_SHOWN_CHARS)}" is not in the catalog: assuming a context window of ${formatCount(model.window)} tokens; ${remedy} under models in the configuration`;
}
