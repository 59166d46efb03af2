import { LonghaulError, type WireId } from "@longhaul/conversation";
import { type Catalog, findModel, inLevels, type ModelMatch, withoutPlatform, withPatterns } from "@longhaul/models";
import type { Config, ProfileConfig } from "@longhaul/settings";
import type { Deployment } from "@longhaul/upstream";
import type { Place } from "./places.ts";
import { termsFor, withTerms } from "./profile-terms.ts";
import type { Target } from "./target.ts";

/** The places that a configuration leads to, and what is known of models. */
export interface Destinations {
  readonly config: Pick<Config, "profiles">;
  readonly catalog: Catalog;
  /** By the name of their upstream. */
  readonly places: ReadonlyMap<string, readonly Place[]>;
}

/** Which model is wanted at an upstream, and how it is spoken to. */
export interface AtUpstream {
  readonly wished: string;
  readonly wire: WireId;
  readonly snapshot: Pick<Destinations, "catalog" | "places">;
  readonly isRenamed: boolean;
  readonly context: Target["context"];
  readonly reasoning?: Target["reasoning"];
  /** The profile that the model is asked by. */
  readonly profile?: ProfileConfig | undefined;
}

/** The target that a model is at one upstream. */
export function targetAt(id: string, at: AtUpstream): Target {
  const { wished, wire, snapshot, isRenamed, context, reasoning } = at;
  const places = snapshot.places.get(id) ?? [];
  const { vendor } = findModel(snapshot.catalog, wished).model;
  const place = choosePlace(places, vendor, wire);
  if (place === undefined) {
    throw new LonghaulError(
      "route.unknown",
      `upstream "${id}" is not running here; set a vendor's key, or give it a baseUrl`,
    );
  }
  const { deployment } = place.connection.upstream;
  const match = findModel(snapshot.catalog, wished, deployment.platform);
  const isGiven = isRenamed || deployment.platform === "other";
  const sentAs = reasoning?.unread === undefined ? match.upstreamId : withoutPlatform(wished, deployment.platform);
  const terms = termsFor(id, wished, at.profile);
  return {
    place,
    match: withTerms(asTold(match, deployment, reasoning), terms),
    ...(terms.window !== undefined && { windowTokens: terms.window }),
    context,
    ...(reasoning !== undefined && { reasoning }),
    model: isGiven ? wished : sentAs,
    wire: deployment.wires.includes(wire) ? wire : (deployment.wires[0] ?? wire),
  };
}

/** What is known of a model, with what the settings say of how it thinks, in the words that its place has for that. */
function asTold(match: ModelMatch, { quirks }: Deployment, reasoning: Target["reasoning"]): ModelMatch {
  const model = withPatterns(match.model, reasoning?.settings.patterns ?? {});
  const told = quirks.thinksInLevels ? inLevels(model) : model;
  return told === match.model ? match : { ...match, model: told };
}

/** Where an upstream stands for several places: the model's own vendor, else one that speaks the client's format. */
function choosePlace(places: readonly Place[], vendor: string, wire: WireId): Place | undefined {
  return (
    places.find(({ connection }) => connection.upstream.deployment.vendor === vendor) ??
    places.find(({ connection }) => connection.upstream.deployment.wires.includes(wire)) ??
    places[0]
  );
}
