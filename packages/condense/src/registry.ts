import { LonghaulError } from "@longhaul/conversation";
import type { InputOf } from "./contract/standard-schema.ts";
import type { Pass, Strategy } from "./contract/strategy.ts";
import { fullHistory } from "./strategies/full-history.ts";
import { lossless } from "./strategies/lossless.ts";
import { middleOut } from "./strategies/middle-out.ts";
import { native } from "./strategies/native.ts";
import { sandwich } from "./strategies/sandwich.ts";
import { slidingTruncation } from "./strategies/sliding-truncation.ts";
import { slidingWindow } from "./strategies/sliding-window.ts";
import { smart } from "./strategies/smart.ts";
import { treeSummary } from "./strategies/tree-summary.ts";
import { truncation } from "./strategies/truncation.ts";

/**
 * To add a strategy, write its file, its test and its page in `docs/strategies/`, and list it here: settings, pages, previews and
 * recommendations read everything else from its definition.
 */
const BUILT_IN = [
  native,
  lossless,
  truncation,
  smart,
  sandwich,
  middleOut,
  slidingWindow,
  slidingTruncation,
  fullHistory,
  treeSummary,
] as const;

type BuiltIn = (typeof BUILT_IN)[number];

/** The ids of the built-in strategies. */
export type StrategyId = BuiltIn["id"];

/** The configuration of a built-in strategy; its defaults fill the gaps. */
export type StrategyConfig<Id extends StrategyId> = InputOf<Extract<BuiltIn, { readonly id: Id }>["schema"]>;

/** A strategy with its configuration: a built-in one by its id, or any other as an object. */
export type StrategyOptions =
  | {
      readonly [Id in StrategyId]: { readonly strategy: Id; readonly config?: StrategyConfig<Id> | undefined };
    }[StrategyId]
  | { readonly strategy?: Strategy | undefined; readonly config?: unknown };

const registered: Strategy[] = [...BUILT_IN];

/** All strategies: the built-in ones, and those that `registerStrategy` added. */
export const STRATEGIES: readonly Strategy[] = registered;

/**
 * Adds a strategy for the rest of the process. Call it before settings are read, because their schemas list the strategies. Throws
 * `settings.invalid` if another strategy has the same id.
 */
export function registerStrategy(strategy: Strategy): void {
  const known = registered.find(({ id }) => id === strategy.id);
  if (known === strategy) return;
  if (known !== undefined)
    throw new LonghaulError("settings.invalid", `two strategies have the ID "${strategy.id}"; rename one of them`);
  registered.push(strategy);
}

/** Returns a strategy by id. Throws `settings.invalid` for an unknown one. */
export function findStrategy(id: unknown, strategies: readonly Strategy[] = STRATEGIES): Strategy {
  const found = strategies.find((strategy) => strategy.id === id);
  if (found !== undefined) return found;
  const known = strategies.map((strategy) => strategy.id).join(", ");
  const given = typeof id === "string" ? `unknown strategy "${id}"` : `a strategy is an id or made by defineStrategy`;
  throw new LonghaulError("settings.invalid", `${given}; known strategies: ${known}`);
}

/** Returns the passes of a built-in strategy, for a strategy of your own. Throws `settings.invalid` for an invalid configuration. */
export function passesOf<Id extends StrategyId>(strategy: Id, config?: StrategyConfig<Id>): readonly Pass[] {
  return findStrategy(strategy).passes(config);
}

/** Default strategies to try in order when one fails. */
export const FALLBACKS: readonly string[] = ["native", "middle-out", "sliding-truncation"];
