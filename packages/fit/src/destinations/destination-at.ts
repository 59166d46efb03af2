import { LonghaulError, type WireId } from "@longhaul/conversation";
import { type Catalog, findModel, inLevels, type ModelMatch, withoutPlatform, withPatterns } from "@longhaul/models";
import type { Config, ProfileConfig } from "@longhaul/settings";
import type { Deployment } from "@longhaul/upstream";
import type { Destination } from "./destination.ts";
import type { UpstreamHandle } from "./handles.ts";
import { termsFor, withTerms } from "./profile-terms.ts";

/** The places that a configuration leads to, and what is known of models. */
export interface Destinations {
  readonly config: Pick<Config, "profiles">;
  readonly catalog: Catalog;
  /** By the name of their upstream. */
  readonly handles: ReadonlyMap<string, readonly UpstreamHandle[]>;
}

/** Which model is wanted at an upstream, and how it is spoken to. */
export interface AtUpstream {
  readonly wished: string;
  readonly wire: WireId;
  readonly snapshot: Pick<Destinations, "catalog" | "handles">;
  readonly isRenamed: boolean;
  readonly context: Destination["context"];
  readonly reasoning?: Destination["reasoning"];
  /** The profile that the model is asked by. */
  readonly profile?: ProfileConfig | undefined;
}

/** The target that a model is at one upstream. */
export function destinationAt(id: string, at: AtUpstream): Destination {
  const { wished, wire, snapshot, isRenamed, context, reasoning } = at;
  const handles = snapshot.handles.get(id) ?? [];
  const { vendor } = findModel(snapshot.catalog, wished).model;
  const handle = chooseHandle(handles, vendor, wire);
  if (handle === undefined) {
    throw new LonghaulError(
      "route.unknown",
      `upstream "${id}" is not running here; set a vendor's key, or give it a baseUrl`,
    );
  }
  const { deployment } = handle.connection.upstream;
  const match = findModel(snapshot.catalog, wished, deployment.platform);
  const isGiven = isRenamed || deployment.platform === "other";
  const sentAs = reasoning?.unread === undefined ? match.upstreamId : withoutPlatform(wished, deployment.platform);
  const terms = termsFor(id, wished, at.profile);
  return {
    handle,
    match: withTerms(asTold(match, deployment, reasoning), terms),
    ...(terms.window !== undefined && { windowTokens: terms.window }),
    context,
    ...(reasoning !== undefined && { reasoning }),
    model: isGiven ? wished : sentAs,
    wire: deployment.wires.includes(wire) ? wire : (deployment.wires[0] ?? wire),
  };
}

/** What is known of a model, with what the settings say of how it thinks, in the words that its place has for that. */
function asTold(match: ModelMatch, { quirks }: Deployment, reasoning: Destination["reasoning"]): ModelMatch {
  const model = withPatterns(match.model, reasoning?.settings.patterns ?? {});
  const told = quirks.thinksInLevels ? inLevels(model) : model;
  return told === match.model ? match : { ...match, model: told };
}

/** Where an upstream stands for several places: the model's own vendor, else one that speaks the client's format. */
function chooseHandle(handles: readonly UpstreamHandle[], vendor: string, wire: WireId): UpstreamHandle | undefined {
  return (
    handles.find(({ connection }) => connection.upstream.deployment.vendor === vendor) ??
    handles.find(({ connection }) => connection.upstream.deployment.wires.includes(wire)) ??
    handles[0]
  );
}
