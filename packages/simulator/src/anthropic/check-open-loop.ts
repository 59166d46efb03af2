import { textIn } from "../core/json.ts";
import { demand } from "../core/rejection.ts";
import { isThinking, turnsIn } from "./messages.ts";
import { type MessagesRequest, thinkingType } from "./request.ts";

/**
 * With a thinking budget, the turn whose tool calls are being answered has to begin with the thinking that led to them. Adaptive thinking
 * has no such rule.
 */
export function checkOpenLoop(request: MessagesRequest): void {
  if (thinkingType(request) !== "enabled") return;
  const turns = turnsIn(request.messages).filter((turn) => turn[0]?.role !== "system");
  const isAnswer = turns.at(-1)?.some(({ block }) => block.type === "tool_result") ?? false;
  if (!isAnswer) return;
  const spoke = turns.findLastIndex(
    (turn) => turn[0]?.role === "user" && turn.every(({ block }) => block.type !== "tool_result"),
  );
  // A turn may open with a summary of what came before; the thinking stands behind it.
  const first = turns[spoke + 1]?.find(({ block }) => block.type !== "compaction");
  if (first === undefined || first.role !== "assistant") return;
  demand(
    isThinking(first.block),
    `messages.${first.message}.content.${first.index}.type: Expected \`thinking\` or \`redacted_thinking\`, but found \`${textIn(first.block.type)}\`. When \`thinking\` is enabled, a final \`assistant\` message must start with a thinking block (preceeding the lastmost set of \`tool_use\` and \`tool_result\` blocks). We recommend you include thinking blocks from previous turns. To avoid this requirement, disable \`thinking\`. Please consult our documentation at https://docs.claude.com/en/docs/build-with-claude/extended-thinking`,
  );
}
