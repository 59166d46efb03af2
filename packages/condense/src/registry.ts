import { LonghaulError } from "@longhaul/conversation";
import type { Prompt, Strategy } from "./contract/strategy.ts";
import { fullHistory } from "./strategies/full-history.ts";
import { lossless } from "./strategies/lossless.ts";
import { middleOut } from "./strategies/middle-out.ts";
import { native } from "./strategies/native.ts";
import { sandwich } from "./strategies/sandwich.ts";
import { slidingWindow } from "./strategies/sliding-window.ts";
import { smart } from "./strategies/smart.ts";
import { treeSummary } from "./strategies/tree-summary.ts";
import { truncation } from "./strategies/truncation.ts";

/**
 * Every strategy there is. A new one is its file, its test, its page in `docs/strategies/`, and a line here: settings, pages, previews and
 * the recommendation read what it tells about itself.
 */
export const STRATEGIES: readonly Strategy[] = [
  native,
  lossless,
  truncation,
  smart,
  sandwich,
  middleOut,
  slidingWindow,
  fullHistory,
  treeSummary,
];

/** The strategy of an id; an unknown one throws `settings.invalid` naming those that exist. */
export function findStrategy(id: string, strategies: readonly Strategy[] = STRATEGIES): Strategy {
  const found = strategies.find((strategy) => strategy.id === id);
  if (found !== undefined) return found;
  const known = strategies.map((strategy) => strategy.id).join(", ");
  throw new LonghaulError("settings.invalid", `there is no strategy "${id}"; choose one of ${known}`);
}

/** A prompt that is used where nobody wrote another. */
export interface DefaultPrompt extends Prompt {
  /** The strategies whose `prompt` setting replaces it. */
  readonly strategies: readonly string[];
}

/** Every prompt that strategies use by default, each once: first those that a setting replaces. */
export function defaultPrompts(strategies: readonly Strategy[] = STRATEGIES): readonly DefaultPrompt[] {
  const uses = strategies.flatMap(({ id, guide }) =>
    (guide.prompts ?? []).map((prompt, at) => ({ prompt, strategy: id, isReplaceable: at === 0 })),
  );
  const ordered = [...uses.filter(({ isReplaceable }) => isReplaceable), ...uses.filter((use) => !use.isReplaceable)];
  return [...new Map(ordered.map(({ prompt }) => [prompt.id, prompt])).values()].map(({ id, use, text }) => {
    const own = uses.filter(({ prompt }) => prompt.id === id);
    const users = own.map(({ strategy }) => strategy);
    const replaced = own.filter(({ isReplaceable }) => isReplaceable).map(({ strategy }) => strategy);
    return { id, use: `${use}: ${users.join(", ")}.`, text, strategies: replaced };
  });
}

/** The strategies that are tried in order when one fails, by default. */
export const FALLBACKS: readonly string[] = ["native", "middle-out"];
