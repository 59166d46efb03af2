/** The types that the catalog's sources share, for `build-catalog.ts`. */

/** USD per million tokens; absent if the source does not say. */
export interface SourceRates {
  readonly input: number;
  readonly output: number;
  readonly cacheRead?: number;
  readonly cacheWrite?: number;
  readonly cacheWriteHour?: number;
}

/** A model in one source. */
export interface SourceModel {
  readonly window?: number;
  readonly rates?: SourceRates;
  readonly tiers: readonly (SourceRates & { readonly above: number })[];
}
