import { CLEARED } from "@longhaul/condense";
import type { Block, ToolResultBlock } from "@longhaul/conversation";

/**
 * Texts that replace a cleared result, whole and exact. A text that quotes the result, as Gemini CLI's
 * `<tool_output_masked>` does, is another result and is not among them.
 */
const CLEARING_TEXTS: ReadonlySet<string> = new Set([
  // Claude Code (microcompact), opencode (prune), Qwen Code and OpenClaw.
  "[Old tool result content cleared]",
  // LangChain's ClearToolUsesEdit, in Python and JavaScript.
  "[cleared]",
  // The dynamic context pruning plugin of opencode.
  "[Output removed to save context - information superseded or no longer needed]",
  // This gateway, when it carries out `clear_tool_uses_20250919` for an upstream that has no such edit.
  CLEARED,
]);

/** Whether a client cleared this result: it holds nothing, or a known clearing text alone. */
export function isClearedResult({ content }: ToolResultBlock): boolean {
  return content.every(isCleared);
}

function isCleared(part: Block): boolean {
  return part.type === "text" && (part.text === "" || CLEARING_TEXTS.has(part.text));
}
