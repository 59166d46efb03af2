import { findStrategy, mediaLimitsOf, STRATEGIES } from "@longhaul/condense";
import { LonghaulError, ownValue, type WireId } from "@longhaul/conversation";
import {
  type Destination,
  destinationAt,
  termsFor as profileTerms,
  setChoice,
  type WorkChoice,
  windowOf,
  withTerms,
} from "@longhaul/fit";
import { typicalOf } from "@longhaul/logs";
import { findModel, type ModelMatch } from "@longhaul/models";
import { mergeContext, type ProfileConfig, type RequestContext } from "@longhaul/settings";
import type { AdminHost, AdminSnapshot } from "../host/admin-host.ts";
import type { Hint, Terms, WriterTerms } from "./terms.ts";

/** What somebody wants a conversation measured for. */
export interface Wish {
  readonly model?: string;
  readonly profile?: string;
  readonly windowTokens?: number;
  readonly budgetTokens?: number;
  readonly summarizer?: string;
  /** The strategy to show, in handle of the one that is set. */
  readonly choice?: WorkChoice;
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
  const { prices, tokenizer, bindsThinking } = match.model;
  const windowTokens = destination === undefined ? match.model.window : windowOf(destination, undefined);
  const terms = {
    model,
    ...(destination && { upstream: destination.handle.connection.upstream.id, ratio: ratioOf(destination) }),
    tokenizer,
    bindsThinking,
    ...(prices && { prices }),
    media: mediaLimitsOf(match.model),
    window: windowTermsOf(wish, context, { match, windowTokens }),
    choices: choicesOf(wish, context),
    configs: Object.fromEntries(STRATEGIES.map(({ id }) => [id, setChoice(id, context).config])),
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

function windowTermsOf(
  { windowTokens: chosenTokens, budgetTokens, choice }: Wish,
  context: RequestContext,
  { match, windowTokens }: { readonly match: ModelMatch; readonly windowTokens: number },
): Terms["window"] {
  const thresholdPercent = context.threshold ?? findStrategy(choice?.strategy ?? context.strategy).thresholdPercent;
  return {
    modelTokens: windowTokens,
    ...(chosenTokens !== undefined && { chosenTokens }),
    ...(budgetTokens !== undefined && { budgetTokens }),
    maxOutput: match.model.maxOutput,
    outputShare: context.outputShare,
    floorTokens: context.floorTokens,
    ...(thresholdPercent !== undefined && { thresholdPercent }),
  };
}

function choicesOf({ choice }: Wish, context: RequestContext): Terms["choices"] {
  const { strategy = context.strategy, config } = choice ?? {};
  const first = config === undefined ? setChoice(strategy, context) : { strategy, config };
  // A strategy that nobody has, or settings that it does not take, are the caller's fault and no reason for another one.
  findStrategy(strategy).passes(first.config);
  return [first, ...context.fallbacks.filter((id) => id !== strategy).map((id) => setChoice(id, context))];
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
