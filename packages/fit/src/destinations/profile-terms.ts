import { completePrices, type ModelMatch } from "@longhaul/models";
import type { ProfileConfig } from "@longhaul/settings";

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
