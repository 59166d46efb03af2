/** What the sources of the catalog have in common, for `build-catalog.ts`. */

/** USD for a million tokens; absent where the source doesn't say. */
export interface SourceRates {
  readonly input: number;
  readonly output: number;
  readonly cacheRead?: number;
  readonly cacheWrite?: number;
  readonly cacheWriteHour?: number;
}

/** What one source says about one model. */
export interface SourceModel {
  readonly window?: number;
  readonly rates?: SourceRates;
  readonly tiers: readonly (SourceRates & { readonly above: number })[];
}
