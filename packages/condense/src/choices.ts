import type { Choice } from "./condensing.ts";
import { findStrategy } from "./registry.ts";

/** What is tried when a strategy fails, where nobody says otherwise. */
const FALLBACKS: readonly string[] = ["native", "middle-out"];

/** A strategy, and those that are tried in turn when it fails. */
export function withFallbacks(first: Choice, fallbacks: readonly string[] = FALLBACKS): readonly [Choice, ...Choice[]] {
  const others = fallbacks.filter((id) => id !== first.strategy.id);
  return [first, ...others.map((id) => ({ strategy: findStrategy(id) }))];
}
