import { type Conversation, checkValue, LonghaulError } from "@longhaul/conversation";
import type { ZodType, z } from "zod";
import type { Edit } from "../edits/edit.ts";
import type { View } from "./view.ts";

/** One step of a strategy: it looks at the conversation and says what to change. It rewrites nothing and calls nothing. */
export interface Pass {
  readonly id: string;
  readonly name: string;
  /** An empty plan means "leave it". */
  plan(view: View): readonly Edit[];
  /** Says whether the pass runs at all on this conversation; without it, it always does. */
  applies?(view: View): boolean;
  /** A trial's edits stand only if they reach the target; else they are taken back and the passes after it begin anew. */
  readonly isTrial?: boolean;
  /** Set where the result may have more tokens than before, because the pass is not about tokens. */
  readonly mayGrow?: boolean;
  /** What the pass itself holds against its result, each as a sentence; with any, its edits are taken back for that reason. */
  objections?(before: View, after: Conversation): readonly string[];
}

/** What a strategy can do, for people who choose one. */
export interface Capabilities {
  /** Whether nothing is lost, as long as that makes enough room. */
  readonly lossless: boolean;
  readonly batchMode: boolean;
  readonly individualMode: boolean;
  readonly multiPass: boolean;
  readonly summarizes: boolean;
  readonly speed: "fast" | "medium" | "slow";
}

/** What a strategy tells about itself to people who choose one, and to the pages and the recommendation that help them. */
export interface StrategyGuide {
  /** How much of a conversation it loses: `nothing`, `little`, `much`. */
  readonly loses: string;
  readonly chooseFor: string;
  /** Absent until somebody has measured it. */
  readonly figures?: StrategyFigures;
  /** Absent where it is never recommended. */
  readonly recommendation?: Recommendation;
  /** The settings that most people look for; a form shows the others on demand. Absent: all of them. */
  readonly firstSettings?: readonly string[];
  /** Set where the settings are a list of passes, which needs a form of its own. */
  readonly editor?: "passes";
  /** The prompts that it uses by default; the first is the one that its `prompt` setting replaces. */
  readonly prompts?: readonly Prompt[];
}

/** What was measured of a strategy; `docs/strategies/README.md` says how, and holds the same figures. */
export interface StrategyFigures {
  /** Of a generated session that is to be condensed to half, in percent. */
  readonly tokensLeftPercent: number;
  readonly milliseconds: number;
  readonly modelCalls: number;
  /** At $3 for a million tokens in and $15 out. */
  readonly costUsd: number;
  /** Of what the assistant uses next, how much is still there when a quarter of the tokens is left; nothing is lost where absent. */
  readonly recallAtQuarter?: number;
}

/** When a strategy is recommended: of those that make enough room, the one with the lowest rank. */
export interface Recommendation {
  /** Ranks strategies by how much of a conversation is left; 0 leaves all of it. */
  readonly rank: number;
  /** Why it is the one, as the end of a sentence. */
  readonly reason: string;
}

/** Instructions to a summariser. */
export interface Prompt {
  readonly id: string;
  /** What it summarises. */
  readonly use: string;
  readonly text: string;
}

/** A way to make a conversation smaller: an ordered list of passes, made from a configuration. */
export interface Strategy {
  readonly id: string;
  readonly name: string;
  /** One or two sentences for the settings page. */
  readonly description: string;
  readonly version: string;
  readonly capabilities: Capabilities;
  readonly guide: StrategyGuide;
  /** Validates a configuration and fills in its defaults; drives the docs and the settings page too. */
  readonly schema: ZodType;
  /** Share of the window, in percent, at which the strategy wants to run where nobody says otherwise. */
  readonly thresholdPercent?: number;
  /** Whether the passes after the one that reached the target are left out. */
  readonly stopsAtTarget: boolean;
  /** Set where the result stands even if it is over the budget: nothing else is tried, nothing is fitted. */
  readonly isFinal?: boolean;
  /** Set where repeats are to give way to references from the first turn on, long before there is something to condense. */
  readonly refersEarly?: boolean;
  /** The passes for a configuration; one that the schema refuses throws `settings.invalid` naming every bad field. */
  passes(config: unknown): readonly Pass[];
}

/** What an author writes: a strategy whose passes take the configuration as its schema gives it. */
export type StrategyDefinition<Config> = Omit<Strategy, "schema" | "passes"> & {
  readonly schema: ZodType<Config>;
  passes(config: Config): readonly Pass[];
};

/** Makes a strategy of its definition. */
export function defineStrategy<Config>(definition: StrategyDefinition<Config>): Strategy {
  return { ...definition, passes: (config) => definition.passes(parseConfig(definition, config)) };
}

/** A configuration as the schema gives it, defaults filled in; one that it refuses throws `settings.invalid` naming every bad field. */
export function parseConfig<Config>(
  { id, schema }: Pick<StrategyDefinition<Config>, "id" | "schema">,
  config: unknown,
): Config {
  const parsed = checkValue(schema, config ?? {});
  if (parsed.success) return parsed.data;
  const faults = schemaFaults(parsed.error, "the configuration");
  throw new LonghaulError("settings.invalid", `strategy "${id}" cannot use this configuration: ${faults}`);
}

/** What a schema holds against a value, each fault with the field it is in; `whole` is what the value itself is called. */
export function schemaFaults({ issues }: z.ZodError, whole: string): string {
  return issues.map(({ path, message }) => `${path.join(".") || whole}: ${message}`).join("; ");
}
