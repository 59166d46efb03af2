import { LonghaulError, type WireId } from "@longhaul/conversation";
import {
  applyPatterns,
  type Catalog,
  completePrices,
  findModel,
  type ModelMatch,
  type RequestedReasoning,
  withLevelsOnly,
  withoutPlatform,
} from "@longhaul/models";
import type { Config, ProfileConfig, ReasoningConfig, RequestContext } from "@longhaul/settings";
import type { Deployment, UpstreamHandle } from "@longhaul/upstream";

/** Where a request may be sent, and as what. */
export interface Destination {
  readonly handle: UpstreamHandle;
  /** The format to speak there. */
  readonly wire: WireId;
  /** The model's name there. */
  readonly model: string;
  /** What is known of the model. */
  readonly match: ModelMatch;
  /** The model's window, where the profile sets it. @default the upstream's, else what was learned, else the catalog's */
  readonly windowTokens?: number;
  /** What holds for the context of requests that go there by this route. */
  readonly context: RequestContext;
  /** What is said about thinking besides the request itself. @default nothing */
  readonly reasoning?: DestinationReasoning;
}

/** What the model's name and the settings say about thinking. */
interface DestinationReasoning {
  /** What the client put behind the model's name. */
  readonly suffix?: RequestedReasoning;
  /** What the client put behind a known model's name and nobody understands. */
  readonly unread?: UnreadSuffix;
  /** What the route put behind its model's name. */
  readonly pinned?: RequestedReasoning;
  /** The global settings with those of profile and route over them. */
  readonly settings: ReasoningConfig;
}

/** A suffix that is no level and no number. */
export interface UnreadSuffix {
  readonly text: string;
  readonly base: string;
  /** What would be understood there. */
  readonly takes: string;
}

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
  const model = applyPatterns(match.model, reasoning?.settings.patterns ?? {});
  const told = quirks.thinksInLevels ? withLevelsOnly(model) : model;
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

/** What a profile knows better of its model than the catalog. */
export type ProfileTerms = Pick<ProfileConfig, "window" | "maxOutputTokens" | "prices">;

/** What a profile says of a model at an upstream: nothing where it is about another one. */
export function termsFor(upstream: string, model: string, profile: ProfileConfig | undefined): ProfileTerms {
  const isAbout = (profile?.upstream ?? upstream) === upstream && (profile?.model ?? model) === model;
  return isAbout && profile !== undefined ? profile : {};
}

/** What is known of a model, with a profile's word for it. */
export function withTerms(match: ModelMatch, { window, maxOutputTokens, prices }: ProfileTerms): ModelMatch {
  if (window === undefined && maxOutputTokens === undefined && prices === undefined) return match;
  const { model } = match;
  const complete = prices && completePrices(prices, model.vendor);
  const windowTokens = window ?? model.window;
  return {
    ...match,
    model: {
      ...model,
      window: windowTokens,
      maxOutput: Math.min(maxOutputTokens ?? model.maxOutput, windowTokens),
      ...(complete && { prices: complete }),
    },
  };
}
