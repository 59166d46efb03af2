import type { CompactionBlock } from "./block.ts";
import type { Usage } from "./reply.ts";

/** The edits that a client asks for before the model reads the conversation, in order. */
export type ContextEdits = readonly ContextEdit[];

/** One context edit. All fields are set: decoders fill in the defaults of their format. */
export type ContextEdit = ClearThinking | ClearToolUses | Compact;

/** Removes the thinking of older turns. */
export interface ClearThinking {
  readonly kind: "clear-thinking";
  /** Number of latest turns with thinking that keep it. */
  readonly keepTurns: number | "all";
}

/** Removes the results of older tool uses. */
export interface ClearToolUses {
  readonly kind: "clear-tool-uses";
  readonly trigger: ContextTrigger;
  /** Number of latest tool uses that are kept. */
  readonly keepToolUses: number;
  /** If less than this could be cleared, nothing is. */
  readonly clearAtLeastTokens: number;
  /** Tools whose uses are never cleared. */
  readonly excludeTools: readonly string[];
  /** Whether to clear tool inputs too: of all tools, or of the listed ones. */
  readonly clearInputs: boolean | readonly string[];
}

/** Threshold that must be exceeded: tokens of the whole prompt, or the number of tool uses in it. */
export interface ContextTrigger {
  readonly unit: "tokens" | "tool-uses";
  readonly over: number;
}

/** Replaces the conversation so far with a summary. */
export interface Compact {
  readonly kind: "compact";
  /** Threshold in tokens of the whole prompt. */
  readonly overTokens: number;
  /** The client's instructions to the summarizer; they replace the default ones. */
  readonly instructions?: string;
  /** Whether the reply contains only the summary, so that the client can continue from there. */
  readonly pausesAfter: boolean;
}

/** One applied edit, as reported to the client. */
export type AppliedEdit =
  | { readonly kind: "clear-thinking"; readonly clearedTurns: number; readonly clearedTokens: number }
  | { readonly kind: "clear-tool-uses"; readonly clearedToolUses: number; readonly clearedTokens: number };

/** The outcome of a client's context edits. */
export interface ContextEditsReport {
  /** Edits that changed something, in order, without compactions. */
  readonly applied: readonly AppliedEdit[];
  /** The summary that the client asked for. */
  readonly compaction?: MadeCompaction;
}

/** A summary at the start of the reply. The client sends it back in place of everything before it. */
export interface MadeCompaction {
  readonly block: CompactionBlock;
  /** Tokens that writing the summary consumed, if known. */
  readonly usage?: Usage;
  /** Whether the client asked for a reply with only the summary. */
  readonly pausesAfter: boolean;
}
