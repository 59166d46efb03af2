import { type Conversation, LonghaulError } from "@longhaul/conversation";
import type { Edit } from "../edits/edit.ts";
import { requireOptions } from "./options.ts";
import { fields } from "./setting.ts";
import { checkWith, describeIssues, type InputOf, type OutputOf, type StandardSchema } from "./standard-schema.ts";
import type { View } from "./view.ts";

/** One step of a strategy: it reads the conversation and plans edits. It changes nothing and calls nothing. */
export interface Pass {
  readonly id: string;
  readonly name: string;
  /** Returns the edits; an empty plan leaves the conversation unchanged. */
  plan(view: View): readonly Edit[];
  /** Whether the pass runs on this conversation. @default always */
  applies?(view: View): boolean;
  /** The edits of a trial are kept only if they reach the target; otherwise they are undone before the next pass runs. */
  readonly isTrial?: boolean;
  /** Set if the result may have more tokens than before, because the pass has another purpose. */
  readonly mayGrow?: boolean;
  /** Returns the pass's own objections to its result, as sentences. If there are any, its edits are undone for that reason. */
  objections?(before: View, after: Conversation): readonly string[];
}

/** Capabilities of a strategy, for people who choose one. */
export interface Capabilities {
  /** Whether nothing is lost, as long as that frees enough tokens. */
  readonly lossless: boolean;
  readonly batchMode: boolean;
  readonly individualMode: boolean;
  readonly multiPass: boolean;
  readonly summarizes: boolean;
  readonly speed: "fast" | "medium" | "slow";
}

/** Description of a strategy for people who choose one, for the dashboard and for recommendations. */
export interface StrategyGuide {
  /** One or two sentences. @default the strategy's `description` */
  readonly description?: string;
  /** How much information it loses: `none`, `low`, `medium` or `high`. */
  readonly loses: string;
  readonly chooseFor: string;
  /** Absent if it has not been measured. */
  readonly figures?: StrategyFigures;
  /** Absent if it is never recommended. */
  readonly recommendation?: Recommendation;
  /** Common settings; the form shows the others on demand. @default all */
  readonly firstSettings?: readonly string[];
  /** Set if the settings are a list of passes, which needs a special form. */
  readonly editor?: "passes";
  /** Default prompts; the `prompt` setting replaces the first. */
  readonly prompts?: readonly Prompt[];
}

/** Measurements of a strategy; `docs/strategies/README.md` explains the method and has the same figures. */
export interface StrategyFigures {
  /** Tokens left of a generated session that is condensed to half, in percent. */
  readonly tokensLeftPercent: number;
  readonly milliseconds: number;
  readonly modelCalls: number;
  /** At $3 per million input tokens and $15 per million output tokens. */
  readonly costUsd: number;
  /** Share of what the assistant uses next that is still there when a quarter of the tokens is left. Absent if nothing is lost. */
  readonly recallAtQuarter?: number;
}

/** When to recommend a strategy: the one with the lowest rank of those that free enough tokens. */
export interface Recommendation {
  /** Ranks strategies by how much of a conversation they lose; 0 loses nothing. */
  readonly rank: number;
  /** The reason, as the end of a sentence. */
  readonly reason: string;
}

/** Instructions for a summarizer. */
export interface Prompt {
  readonly id: string;
  /** The content that it summarizes. */
  readonly use: string;
  readonly text: string;
}

/** A way to condense a conversation: an ordered list of passes, built from a configuration. */
export interface Strategy<Id extends string = string, Config = unknown> {
  readonly id: Id;
  readonly name: string;
  /** One or two sentences for people who choose a strategy. Empty if its guide has them. */
  readonly description: string;
  readonly version: string;
  readonly capabilities: Capabilities;
  /** Absent for the built-in strategies: `guideOf` has theirs. */
  readonly guide?: StrategyGuide;
  /** Validates a configuration and fills in defaults; the docs and the settings page are generated from it. */
  readonly schema: StandardSchema<unknown, Config>;
  /** Converts other shapes of a configuration to the schema's. It returns anything else unchanged. */
  readConfig?(config: unknown): unknown;
  /** Whether a configuration calls a model. Throws `settings.invalid` like `passes`. @default `capabilities.summarizes` */
  asksModel?(config: unknown): boolean;
  /** Default trigger in percent of the window. */
  readonly thresholdPercent?: number;
  /** Whether later passes are skipped once the target is reached. */
  readonly stopsAtTarget: boolean;
  /** Set if the user's first message may be dropped, because only recent messages count. */
  readonly dropsTask?: boolean;
  /** Set if the result is final even over the budget: no fallback, no mechanical fitting. */
  readonly isFinal?: boolean;
  /** Set if repeats are replaced by references from the first turn on, long before condensing is due. */
  readonly refersEarly?: boolean;
  /** Returns the passes for a configuration. Throws `settings.invalid`, naming every invalid field. */
  passes(config: unknown): readonly Pass[];
}

/** A strategy as its author writes it: the passes take the parsed configuration. Only an id and the passes are required. */
export type StrategyDefinition<Schema extends StandardSchema = StandardSchema, Id extends string = string> = Partial<
  Omit<Strategy<Id>, "id" | "schema" | "passes" | "asksModel">
> & {
  readonly id: Id;
  /** @default no settings */
  readonly schema?: Schema;
  passes(config: OutputOf<Schema>): readonly Pass[];
  asksModel?(config: OutputOf<Schema>): boolean;
};

/** Creates a strategy from its definition. */
export function defineStrategy<Schema extends StandardSchema, const Id extends string>(
  definition: StrategyDefinition<Schema, Id>,
): Strategy<Id, InputOf<Schema>>;
export function defineStrategy(definition: StrategyDefinition): Strategy {
  requireOptions(definition, { caller: "defineStrategy", types: DEFINITION, required: ["id", "passes"] });
  const { id, capabilities = PLAIN, schema = NO_SETTINGS } = definition;
  return {
    name: id,
    description: "",
    version: "1.0.0",
    stopsAtTarget: true,
    ...definition,
    capabilities,
    schema,
    passes: (config) => requireList(id, definition.passes(parseConfig({ ...definition, schema }, config))),
    asksModel: (config) =>
      definition.asksModel?.(parseConfig({ ...definition, schema }, config)) ?? capabilities.summarizes,
  };
}

/** Checked for programs that no compiler checks. */
const DEFINITION = {
  id: "a string",
  schema: ["~standard"],
  passes: "a function",
  capabilities: ["summarizes"],
} as const;

function requireList(id: string, passes: readonly Pass[]): readonly Pass[] {
  if (Array.isArray(passes) && passes.every((pass) => typeof pass?.plan === "function")) return passes;
  throw new LonghaulError("settings.invalid", `the passes of strategy "${id}" are not a list of objects with plan`);
}

const NO_SETTINGS = fields({});

const PLAIN: Capabilities = {
  lossless: false,
  batchMode: false,
  individualMode: false,
  multiPass: true,
  summarizes: false,
  speed: "fast",
};

/** Parses a configuration and fills in defaults. Throws `settings.invalid`, naming every invalid field. */
export function parseConfig<Output>(
  { id, schema, readConfig }: Pick<Strategy, "id" | "readConfig"> & { readonly schema: StandardSchema<Output> },
  config: unknown,
): Output {
  const checked = checkWith(schema, readConfig?.(config) ?? config ?? {});
  if (checked.issues === undefined) return checked.value;
  const faults = describeIssues(checked.issues, "the configuration");
  throw new LonghaulError("settings.invalid", `invalid configuration for strategy "${id}": ${faults}`);
}
