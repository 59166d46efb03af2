import type { CompactionBlock } from "./block.ts";
import type { Usage } from "./reply.ts";

/** What a client asks to have cleared from its conversation before the model reads it, in order. */
export type ContextEdits = readonly ContextEdit[];

/** One thing to clear. Every field has its value: whoever reads the wish fills in its format's defaults. */
export type ContextEdit = ClearThinking | ClearToolUses | Compact;

/** Takes the thinking of older turns out. */
export interface ClearThinking {
  readonly kind: "clear-thinking";
  /** The latest turns with thinking that keep it. */
  readonly keepTurns: number | "all";
}

/** Takes the results of older tool uses out. */
export interface ClearToolUses {
  readonly kind: "clear-tool-uses";
  readonly trigger: ContextTrigger;
  /** The latest tool uses that stay as they are. */
  readonly keepToolUses: number;
  /** Nothing is cleared where less than this could be. */
  readonly clearAtLeastTokens: number;
  /** Tools whose uses stay as they are. */
  readonly excludeTools: readonly string[];
  /** Whether what a tool was called with goes too: with all tools, or with these. */
  readonly clearInputs: boolean | readonly string[];
}

/** What has to be exceeded: tokens of the whole prompt, or tool uses in it. */
export interface ContextTrigger {
  readonly unit: "tokens" | "tool-uses";
  readonly over: number;
}

/** Puts a summary in the place of the conversation so far. */
export interface Compact {
  readonly kind: "compact";
  /** Tokens of the whole prompt that have to be exceeded. */
  readonly overTokens: number;
  /** What the client tells the summariser, instead of what it is told by default. */
  readonly instructions?: string;
  /** Whether the reply is the summary alone, so that the client can go on from there itself. */
  readonly pausesAfter: boolean;
}

/** What was cleared, as it is told to the client. */
export type AppliedEdit =
  | { readonly kind: "clear-thinking"; readonly clearedTurns: number; readonly clearedTokens: number }
  | { readonly kind: "clear-tool-uses"; readonly clearedToolUses: number; readonly clearedTokens: number };

/** What became of a client's context edits. */
export interface ContextEditsReport {
  /** The edits that changed something, in order; a compaction is not among them. */
  readonly applied: readonly AppliedEdit[];
  /** The summary that was made on the client's wish. */
  readonly compaction?: MadeCompaction;
}

/** A summary that the reply begins with, for the client to send back in the place of what came before. */
export interface MadeCompaction {
  readonly block: CompactionBlock;
  /** What making it consumed, as far as anybody said. */
  readonly usage?: Usage;
  /** Whether the client wants the summary alone for a reply. */
  readonly pausesAfter: boolean;
}
