import type { JsonObject, WireId } from "@longhaul/conversation";
import type { Model } from "@longhaul/models";
import type { Config } from "@longhaul/settings";
import type { Upstream } from "@longhaul/upstream";
import { codecOf } from "@longhaul/wire";
import { COMPACT_EDIT, isCompactEdit } from "./betas.ts";

export interface CompactionOptions {
  readonly model: Model;
  readonly destination: CompactionDestination;
  readonly settings: Config["compaction"];
  /** The effective window of the request: configured, learned, or from the catalog. */
  readonly windowTokens: number;
  /** The client's own `context_management.edits`. */
  readonly clientEdits: readonly JsonObject[];
}

interface CompactionDestination {
  readonly wire: WireId;
  readonly handle: { readonly connection: { readonly upstream: Pick<Upstream, "blockedBetas"> } };
}

/** The additions to a request that make the vendor compact when the prompt exceeds a threshold. */
export type CompactionPlan =
  /** `edits` includes the client's own. */
  | {
      readonly kind: "edit";
      readonly edits: readonly JsonObject[];
      readonly betas: readonly string[];
      readonly triggerTokens: number;
    }
  /** The client requests compaction itself; its edits stay unchanged. */
  | { readonly kind: "client"; readonly betas: readonly string[] }
  | { readonly kind: "none"; readonly reason: NoCompaction };

type NoCompaction =
  | "disabled"
  | "other-format"
  | "unsupported-model"
  | "blocked-beta"
  | "small-window"
  /** The model is asked to compact in a separate request. */
  | "on-demand"
  /** The client keeps its own blocks, without a threshold. */
  | "client-compacts";

/** The API's own threshold. */
const DEFAULT_TRIGGER_TOKENS = 150_000;

/** The API's lowest threshold. */
const MIN_TRIGGER_TOKENS = 50_000;

/** The summary and the answer need room in the window beside the prompt. */
const MAX_TRIGGER_SHARE = 0.75;

/** Plans threshold compaction for one request. */
export function compactionPlan({
  model,
  destination,
  settings,
  windowTokens,
  clientEdits,
}: CompactionOptions): CompactionPlan {
  if (!settings.enabled) return none("disabled");
  if (codecOf(destination.wire).traits.compaction !== "edit") return none("other-format");
  const isClients = clientEdits.some(isCompactEdit);
  if (!isClients && settings.onDemand && compactsOnDemand(model, destination)) return none("on-demand");
  const beta = model.betas["compaction-threshold"];
  if (!model.compaction.threshold || beta === undefined) return none("unsupported-model");
  if (destination.handle.connection.upstream.blockedBetas?.includes(beta)) return none("blocked-beta");
  const betas = [beta];
  if (isClients) return { kind: "client", betas };
  const triggerTokens = triggerWithin(windowTokens, settings.triggerTokens ?? DEFAULT_TRIGGER_TOKENS);
  if (triggerTokens < MIN_TRIGGER_TOKENS) return none("small-window");
  return { kind: "edit", edits: inApiOrder([...clientEdits, compactEdit(triggerTokens)]), betas, triggerTokens };
}

/** Returns the prompt size from which a vendor compacts: the one that is set, at most three quarters of the window. */
export function triggerWithin(windowTokens: number, setTokens = Number.POSITIVE_INFINITY): number {
  return Math.min(setTokens, Math.floor(windowTokens * MAX_TRIGGER_SHARE));
}

/** Returns whether the model compacts on demand. That reads the prompt cache, so it is preferred to the threshold. */
export function compactsOnDemand({ compaction, betas }: Model, { wire, handle }: CompactionDestination): boolean {
  if (!compaction.onDemand) return false;
  const { compaction: way } = codecOf(wire).traits;
  if (way === "item") return true;
  const beta = betas["compaction-on-demand"];
  const isBlocked = beta === undefined || handle.connection.upstream.blockedBetas?.includes(beta);
  return way === "edit" && !isBlocked;
}

function none(reason: NoCompaction): CompactionPlan {
  return { kind: "none", reason };
}

function compactEdit(triggerTokens: number): JsonObject {
  return {
    type: COMPACT_EDIT,
    trigger: { type: "input_tokens", value: triggerTokens },
    instructions: COMPACTION_INSTRUCTIONS,
  };
}

// The API requires thinking to be cleared first and compaction last (docs/compaction.md).
const RANKS = new Map<unknown, number>([
  ["clear_thinking_20251015", 0],
  ["clear_tool_uses_20250919", 1],
  [COMPACT_EDIT, 3],
]);
const RANK_OF_OTHERS = 2;

/** Unknown edits stay before the compaction, in the client's own order. */
function inApiOrder(edits: readonly JsonObject[]): readonly JsonObject[] {
  return edits.toSorted((left, right) => rankOf(left) - rankOf(right));
}

function rankOf({ type }: JsonObject): number {
  return RANKS.get(type) ?? RANK_OF_OTHERS;
}

/**
 * The instructions for compaction. The model answers the request from the summary alone, so a summary without the user's words leaves
 * nothing to answer. They replace the vendor's own instructions and keep their tags.
 */
export const COMPACTION_INSTRUCTIONS = `Write a summary of the conversation so far, inside <summary></summary> tags. It replaces the whole conversation: the next answer is written from this summary alone.

1. Latest message. Copy the user's latest message word for word, with every question, instruction, name and number in it. If the conversation ends with results of tools, copy the user's last message the same way, then describe the tool calls and their results.
2. Goals and limits. What the user wants from the whole conversation, and every rule or preference they stated, in their own words.
3. State of the work. What is finished, what is under way, what is still open, and the very next step.
4. Facts. Files by their full path with what was read or changed in them, commands and their outcome, decisions with the reason for each, exact identifiers, values, error messages and addresses, and any code that the next step needs.

Leave out greetings, repetition and anything that was later withdrawn. Do not answer the user here.`;
