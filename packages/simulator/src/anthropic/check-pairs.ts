import { textIn } from "../core/json.ts";
import { demand } from "../core/rejection.ts";
import { type Message, type PlacedBlock, pathOf, turnsIn } from "./messages.ts";

/** Refuses tool calls without their results right after them, and results without their calls right before them. */
export function checkPairs(messages: readonly Message[]): void {
  const turns = turnsIn(messages);
  checkUnique(turns.flat());
  for (const [at, turn] of turns.entries()) {
    if (turn[0]?.role === "assistant") checkAnswered(turn, turns[at + 1] ?? []);
    if (turn[0]?.role === "user") checkExpected(turn, turns[at - 1] ?? []);
  }
}

function checkUnique(blocks: readonly PlacedBlock[]): void {
  const seen = new Set<unknown>();
  for (const placed of blocks.filter(({ block }) => block.type === "tool_use")) {
    demand(!seen.has(placed.block.id), `${pathOf(placed)}: \`tool_use\` ids must be unique`);
    seen.add(placed.block.id);
  }
}

/** Results have to stand first in the turn after the calls: a text before them separates the pair. */
function checkAnswered(turn: readonly PlacedBlock[], next: readonly PlacedBlock[]): void {
  const isResult = ({ block }: PlacedBlock) => block.type === "tool_result";
  const firstOther = next.findIndex((placed) => !isResult(placed));
  const leading = firstOther < 0 ? next : next.slice(0, firstOther);
  const answered = new Set(leading.map(({ block }) => block.tool_use_id));
  const calls = turn.filter(({ block }) => block.type === "tool_use");
  const open = calls.filter(({ block }) => !answered.has(block.id));
  demand(
    open.length === 0,
    `messages.${open[0]?.message}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${open
      .map(({ block }) => textIn(block.id))
      .join(", ")}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`,
  );
}

function checkExpected(turn: readonly PlacedBlock[], previous: readonly PlacedBlock[]): void {
  const called = new Set(previous.filter(({ block }) => block.type === "tool_use").map(({ block }) => block.id));
  const seen = new Set<unknown>();
  for (const placed of turn.filter(({ block }) => block.type === "tool_result")) {
    const id = textIn(placed.block.tool_use_id);
    demand(
      called.has(id),
      `${pathOf(placed)}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${id}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`,
    );
    demand(
      !seen.has(id),
      `${pathOf(placed)}: each tool_use must have a single result. Found multiple \`tool_result\` blocks with id: ${id}`,
    );
    seen.add(id);
  }
}
