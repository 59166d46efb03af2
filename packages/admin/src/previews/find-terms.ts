import { type PlanOptions, planCondensation } from "@longhaul/condense";
import { LonghaulError, ownValue, type WireId } from "@longhaul/conversation";
import {
  type Destination,
  destinationAt,
  planOptions,
  termsFor as profileTerms,
  windowOf,
  withTerms,
} from "@longhaul/fit";
import { typicalOf } from "@longhaul/logs";
import { findModel, type ModelMatch } from "@longhaul/models";
import { mergeContext, type ProfileConfig } from "@longhaul/settings";
import type { AdminHost, AdminSnapshot } from "../host/admin-host.ts";
import type { ChosenSize, Hint, Terms, WriterTerms } from "./terms.ts";

/** What somebody wants a conversation measured for. */
export interface Wish extends ChosenSize {
  readonly model?: string;
  readonly profile?: string;
  readonly summarizer?: string;
  /** The strategy to show instead of the one that is set. */
  readonly choice?: PreviewChoice;
}

/** A strategy by its id. Without a configuration the one that is set is used. */
export interface PreviewChoice {
  readonly strategy: string;
  readonly config?: unknown;
}

/** What a wish comes to in a running gateway. */
export interface Found {
  readonly terms: Terms;
  /** Where such requests go; absent where no route leads to the model. */
  readonly destination?: Destination;
}

/** What finding depends on. */
export interface FindContext {
  readonly snapshot: AdminSnapshot;
  readonly resolve: AdminHost["resolve"];
  /** Tokens of a model for one of its encoding, as far as they were learned. */
  ratioOf(destination: Destination): number;
}

/** Finds out what a conversation is measured for. A profile that does not exist throws `settings.invalid`. */
export function findTerms(wish: Wish, hint: Hint, { snapshot, resolve, ratioOf }: FindContext): Found {
  const profile = wish.profile === undefined ? undefined : profileNamed(wish.profile, snapshot);
  const named = wish.model ?? profile?.model ?? hint.model;
  const typical = typicalOf(hint.format);
  const model = named ?? typical.model;
  const destination = destinationFor(model, { wire: typical.wire, profile, snapshot, resolve });
  const match = destination?.match ?? withTerms(findModel(snapshot.catalog, model), profileTerms("", model, profile));
  const context = destination?.context ?? mergeContext(snapshot.config.context, profile?.context);
  const summarizer = wish.summarizer ?? context.summarizer;
  if (summarizer !== undefined) profileNamed(summarizer, snapshot);
  const { prices, tokenizer } = match.model;
  const windowTokens = destination === undefined ? match.model.window : windowOf(destination, undefined);
  const terms = {
    model,
    ...(destination && { upstream: destination.handle.connection.upstream.id, ratio: ratioOf(destination) }),
    tokenizer,
    plan: withChoice(planOptions(context, match.model, windowTokens), wish.choice),
    size: {
      ...(wish.windowTokens !== undefined && { windowTokens: wish.windowTokens }),
      ...(wish.budgetTokens !== undefined && { budgetTokens: wish.budgetTokens }),
    },
    writers: [{ model, windowTokens, ...(prices && { prices }) }, ...writersIn(snapshot)] as const,
    ...(summarizer !== undefined && { summarizer }),
    warnings: warningsOf(named, model, { match, destination }),
  };
  return { terms, ...(destination && { destination }) };
}

function profileNamed(name: string, { config }: AdminSnapshot): ProfileConfig {
  const found = ownValue(config.profiles, name);
  if (found !== undefined) return found;
  const known = Object.keys(config.profiles).join(", ") || "none";
  throw new LonghaulError("settings.invalid", `there is no profile "${name}" (configured: ${known})`);
}

interface AtModel extends Pick<FindContext, "snapshot" | "resolve"> {
  readonly wire: WireId;
  readonly profile: ProfileConfig | undefined;
}

function destinationFor(model: string, { wire, profile, snapshot, resolve }: AtModel): Destination | undefined {
  try {
    if (profile?.upstream === undefined) {
      const [destination] = resolve({ model, wire, ofRequest: profile?.context }, snapshot);
      return destination;
    }
    const context = mergeContext(snapshot.config.context, profile.context);
    return destinationAt(profile.upstream, { wished: model, wire, snapshot, isRenamed: true, context, profile });
  } catch (error) {
    if (error instanceof LonghaulError && error.code === "route.unknown") return undefined;
    throw error;
  }
}

/** A configuration that is given is used as it is, without the prompt that is set. */
function withChoice(set: PlanOptions, { strategy, config }: Partial<PreviewChoice> = {}): PlanOptions {
  const chosen = strategy === undefined ? set : { ...set, strategy };
  const isGiven = strategy !== undefined && config !== undefined;
  const plan = isGiven ? { ...chosen, configs: { ...set.configs, [strategy]: config }, prompt: undefined } : chosen;
  // An unknown strategy or an invalid configuration is the caller's mistake: no fallback may hide it.
  const [first] = planCondensation(plan).choices;
  first.strategy.passes(first.config);
  return plan;
}

/** The profiles that name a model to write with. */
function writersIn({ config, catalog, handles }: AdminSnapshot): WriterTerms[] {
  return Object.entries(config.profiles).flatMap(([name, profile]) => {
    const { upstream, model } = profile;
    if (upstream === undefined || model === undefined) return [];
    const platform = handles.get(upstream)?.[0]?.connection.upstream.deployment.platform;
    const { window, prices } = withTerms(
      findModel(catalog, model, platform),
      profileTerms(upstream, model, profile),
    ).model;
    return [{ profile: name, model, windowTokens: window, ...(prices && { prices }) }];
  });
}

function warningsOf(
  named: string | undefined,
  model: string,
  { match, destination }: { readonly match: ModelMatch; readonly destination: Destination | undefined },
): string[] {
  return [
    ...(named === undefined ? [`no model is named; it is measured for ${model}`] : []),
    ...(match.warning === undefined ? [] : [match.warning]),
    ...(destination === undefined ? [`no route serves "${model}"; what is set for all holds`] : []),
  ];
}
