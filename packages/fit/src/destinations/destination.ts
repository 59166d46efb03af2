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
} from "@longhaul/models/advanced";
import type { Config, ProfileConfig, ReasoningConfig, RequestContext } from "@longhaul/settings";
import type { Deployment, UpstreamHandle } from "@longhaul/upstream";

/** The upstream and model that a request may be sent to. */
export interface Destination {
  readonly handle: UpstreamHandle;
  readonly wire: WireId;
  /** The model's name at the upstream. */
  readonly model: string;
  /** The catalog's entry for the model. */
  readonly match: ModelMatch;
  /** The model's window, if the profile sets it. @default the upstream's, else the learned one, else the catalog's */
  readonly windowTokens?: number;
  /** The effective context settings of requests that go there. */
  readonly context: RequestContext;
  /** Requested reasoning outside the request itself. @default none */
  readonly reasoning?: DestinationReasoning;
}

/** Requested reasoning from the model's name and the settings. */
interface DestinationReasoning {
  /** The suffix of the client's model name. */
  readonly suffix?: RequestedReasoning;
  /** An unknown suffix of a known model's name. */
  readonly unread?: UnreadSuffix;
  /** The suffix of the route's model name. */
  readonly pinned?: RequestedReasoning;
  /** The global settings, overridden by those of profile and route. */
  readonly settings: ReasoningConfig;
}

/** A suffix that is neither a level nor a number. */
export interface UnreadSuffix {
  readonly text: string;
  readonly base: string;
  /** The suffixes that would be valid. */
  readonly takes: string;
}

export interface Destinations {
  readonly config: Pick<Config, "profiles">;
  readonly catalog: Catalog;
  /** By upstream name. */
  readonly handles: ReadonlyMap<string, readonly UpstreamHandle[]>;
}

export interface AtUpstream {
  readonly requested: string;
  readonly wire: WireId;
  readonly snapshot: Pick<Destinations, "catalog" | "handles">;
  readonly isRenamed: boolean;
  readonly context: Destination["context"];
  readonly reasoning?: Destination["reasoning"];
  /** The profile that the model is requested with. */
  readonly profile?: ProfileConfig | undefined;
}

/** Returns the destination for a model at one upstream. */
export function destinationAt(id: string, at: AtUpstream): Destination {
  const { requested, wire, snapshot, isRenamed, context, reasoning } = at;
  const handles = snapshot.handles.get(id) ?? [];
  const { vendor } = findModel(snapshot.catalog, requested).model;
  const handle = chooseHandle(handles, vendor, wire);
  if (handle === undefined) {
    throw new LonghaulError(
      "route.unknown",
      `upstream "${id}" is not configured; add it under upstreams, or set the vendor's API key`,
    );
  }
  const { deployment, isFree } = handle.connection.upstream;
  const match = findModel(snapshot.catalog, requested, deployment.platform);
  const isGiven = isRenamed || deployment.platform === "other";
  const sentAs = reasoning?.unread === undefined ? match.upstreamId : withoutPlatform(requested, deployment.platform);
  const terms = termsFor(id, requested, at.profile);
  const own = withTerms(withReasoning(match, deployment, reasoning), terms);
  return {
    handle,
    match: isFree === true ? withoutPrices(own) : own,
    ...(terms.window !== undefined && { windowTokens: terms.window }),
    context,
    ...(reasoning !== undefined && { reasoning }),
    model: isGiven ? requested : sentAs,
    wire: deployment.wires.includes(wire) ? wire : (deployment.wires[0] ?? wire),
  };
}

/** Applies reasoning settings to a model, in the form that its deployment uses. */
function withReasoning(match: ModelMatch, { quirks }: Deployment, reasoning: Destination["reasoning"]): ModelMatch {
  const model = applyPatterns(match.model, reasoning?.settings.patterns ?? {});
  const adapted = quirks.thinksInLevels ? withLevelsOnly(model) : model;
  return adapted === match.model ? match : { ...match, model: adapted };
}

function withoutPrices({ model: { prices: _, ...model }, ...match }: ModelMatch): ModelMatch {
  return { ...match, model };
}

/** If an upstream has several deployments: the model's own vendor, else one with the client's format. */
function chooseHandle(handles: readonly UpstreamHandle[], vendor: string, wire: WireId): UpstreamHandle | undefined {
  return (
    handles.find(({ connection }) => connection.upstream.deployment.vendor === vendor) ??
    handles.find(({ connection }) => connection.upstream.deployment.wires.includes(wire)) ??
    handles[0]
  );
}

/** The facts about its model that a profile may override. */
export type ProfileTerms = Pick<ProfileConfig, "window" | "maxOutputTokens" | "prices">;

/** Returns a profile's terms for a model at an upstream; none if the profile is about another one. */
export function termsFor(upstream: string, model: string, profile: ProfileConfig | undefined): ProfileTerms {
  const isAbout = (profile?.upstream ?? upstream) === upstream && (profile?.model ?? model) === model;
  return isAbout && profile !== undefined ? profile : {};
}

/** Overrides a model's catalog entry with a profile's terms. */
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
