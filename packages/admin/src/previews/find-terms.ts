import { type PlanOptions, planCondensation } from "@longhaul/condense/advanced";
import { LonghaulError, ownValue, type WireId } from "@longhaul/conversation/advanced";
import {
  type CostParts,
  type Destination,
  destinationAt,
  planOptions,
  termsFor as profileTerms,
  type SummaryCosts,
  windowOf,
  withTerms,
} from "@longhaul/fit";
import { logDefaults } from "@longhaul/logs";
import { findModel, type ModelMatch } from "@longhaul/models";
import { mergeContext, type ProfileConfig } from "@longhaul/settings";
import type { AdminHost, AdminSnapshot } from "../host/admin-host.ts";
import type { ChosenSize, Hint, Terms, WriterTerms } from "./protocol.ts";

export interface PreviewOptions extends ChosenSize {
  readonly model?: string;
  readonly profile?: string;
  readonly summarizer?: string;
  /** The strategy to show instead of the configured one. */
  readonly choice?: PreviewChoice;
}

/** A strategy by its id. Without `config`, its configured settings are used. */
export interface PreviewChoice {
  readonly strategy: string;
  readonly config?: unknown;
}

export interface FoundTerms {
  readonly terms: Terms;
  /** Absent if no route serves the model. */
  readonly destination?: Destination;
}

export interface FindContext {
  readonly snapshot: AdminSnapshot;
  readonly resolve: AdminHost["resolve"];
  /** Returns the learned ratio of a model's tokens to its encoding's. */
  ratioOf(destination: Destination): number;
  /** Corrects estimated costs of summaries by earlier ones. */
  readonly correct: SummaryCosts["correct"];
}

/** Finds what to measure a conversation for. A profile that does not exist throws `settings.invalid`. */
export function findTerms(
  options: PreviewOptions,
  hint: Hint,
  { snapshot, resolve, ratioOf, correct }: FindContext,
): FoundTerms {
  const profile = options.profile === undefined ? undefined : profileNamed(options.profile, snapshot);
  const named = options.model ?? profile?.model ?? hint.model;
  const typical = logDefaults(hint.format);
  const model = named ?? typical.model;
  const destination = destinationFor(model, { wire: typical.wire, profile, snapshot, resolve });
  const match = destination?.match ?? withTerms(findModel(snapshot.catalog, model), profileTerms("", model, profile));
  const context = destination?.context ?? mergeContext(snapshot.config.context, profile?.context);
  const summarizer = options.summarizer ?? context.summarizer;
  if (summarizer !== undefined) profileNamed(summarizer, snapshot);
  const { prices, tokenizer } = match.model;
  const windowTokens = destination === undefined ? match.model.window : windowOf(destination, undefined);
  const own = destination && { correction: correctionOf(upstreamOf(destination), destination.model, correct) };
  const terms = {
    model,
    ...(destination && { upstream: upstreamOf(destination), ratio: ratioOf(destination) }),
    tokenizer,
    plan: withChoice(planOptions(context, match.model, windowTokens), options.choice),
    size: {
      ...(options.windowTokens !== undefined && { windowTokens: options.windowTokens }),
      ...(options.budgetTokens !== undefined && { budgetTokens: options.budgetTokens }),
    },
    writers: [{ model, windowTokens, ...(prices && { prices }), ...own }, ...writersIn(snapshot, correct)] as const,
    ...(summarizer !== undefined && { summarizer }),
    warnings: warningsOf(named, model, { match, destination }),
  };
  return { terms, ...(destination && { destination }) };
}

function profileNamed(name: string, { config }: AdminSnapshot): ProfileConfig {
  const found = ownValue(config.profiles, name);
  if (found !== undefined) return found;
  const known = Object.keys(config.profiles).join(", ") || "none";
  throw new LonghaulError("settings.invalid", `profile "${name}" does not exist (configured: ${known})`);
}

interface ModelQuery extends Pick<FindContext, "snapshot" | "resolve"> {
  readonly wire: WireId;
  readonly profile: ProfileConfig | undefined;
}

function destinationFor(model: string, { wire, profile, snapshot, resolve }: ModelQuery): Destination | undefined {
  try {
    if (profile?.upstream === undefined) {
      const [destination] = resolve({ model, wire, ofRequest: profile?.context }, snapshot);
      return destination;
    }
    const context = mergeContext(snapshot.config.context, profile.context);
    return destinationAt(profile.upstream, { requested: model, wire, snapshot, isRenamed: true, context, profile });
  } catch (error) {
    if (error instanceof LonghaulError && error.code === "route.unknown") return undefined;
    throw error;
  }
}

/** A requested configuration is used unchanged, without the configured prompt. */
function withChoice(set: PlanOptions, { strategy, config }: Partial<PreviewChoice> = {}): PlanOptions {
  const chosen = strategy === undefined ? set : { ...set, strategy };
  const isGiven = strategy !== undefined && config !== undefined;
  const plan = isGiven ? { ...chosen, configs: { ...set.configs, [strategy]: config }, prompt: undefined } : chosen;
  // An unknown strategy or an invalid configuration is the caller's mistake: no fallback may hide it.
  const [first] = planCondensation(plan).choices;
  first.strategy.passes(first.config);
  return plan;
}

function upstreamOf({ handle }: Destination): string {
  return handle.connection.upstream.id;
}

/** A preview sends its summary requests as text. */
function correctionOf(upstream: string, model: string, correct: SummaryCosts["correct"]): CostParts {
  return correct({ upstream, model, form: "text" }, { promptUsd: 1, outputUsd: 1 });
}

function writersIn({ config, catalog, handles }: AdminSnapshot, correct: SummaryCosts["correct"]): WriterTerms[] {
  return Object.entries(config.profiles).flatMap(([name, profile]) => {
    const { upstream, model } = profile;
    if (upstream === undefined || model === undefined) return [];
    const { deployment, windowTokens } = handles.get(upstream)?.[0]?.connection.upstream ?? {};
    const { window, prices } = withTerms(
      findModel(catalog, model, deployment?.platform),
      profileTerms(upstream, model, profile),
    ).model;
    return [
      {
        profile: name,
        model,
        windowTokens: profile.window ?? windowTokens ?? window,
        ...(prices && { prices }),
        correction: correctionOf(upstream, model, correct),
      },
    ];
  });
}

function warningsOf(
  named: string | undefined,
  model: string,
  { match, destination }: { readonly match: ModelMatch; readonly destination: Destination | undefined },
): string[] {
  return [
    ...(named === undefined ? [`the conversation names no model; tokens counted for ${model}`] : []),
    ...(match.warning === undefined ? [] : [match.warning]),
    ...(destination === undefined ? [`no route serves "${model}"; the global settings are used`] : []),
  ];
}
