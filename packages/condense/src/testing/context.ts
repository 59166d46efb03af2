import {
  type Block,
  type Conversation,
  isJsonObject,
  type JsonObject,
  type Message,
  pureHash,
  type Tool,
} from "@longhaul/conversation/advanced";
import type { TokenCounter } from "@longhaul/models";
import type { CondensingPlan } from "../condense-in-steps.ts";
import type { Strategy } from "../contract/strategy.ts";
import { type Limits, makeView, type View } from "../contract/view.ts";
import { type Draft, keptSlot, makeDraft, openDraft } from "../edits/draft.ts";
import type { Answer, Ask } from "../edits/edit.ts";
import type { RunContext, RunSteps } from "../engine/run.ts";
import { describeSettings } from "../guides.ts";

/** Limits around a budget: the window is a quarter larger, the target a quarter smaller. */
function makeLimits(budgetTokens: number): Limits {
  return {
    windowTokens: Math.ceil(budgetTokens * 1.25),
    budgetTokens,
    targetTokens: Math.floor(budgetTokens * 0.75),
  };
}

/** A run context with the simple counter. */
export function makeContext(budgetTokens: number): RunContext {
  return { limits: makeLimits(budgetTokens), counter: makeCounter(), hash: pureHash };
}

/** A pass's view of an unchanged conversation. */
export function makeTestView(conversation: Conversation, budgetTokens: number): View {
  return makeView(openDraft(conversation), makeContext(budgetTokens));
}

/** Returns the settings of a strategy by name, as JSON Schema with descriptions. */
export function settingsIn({ id, schema }: Strategy): JsonObject {
  const json: unknown = JSON.parse(JSON.stringify(schema["~standard"].jsonSchema?.input({ target: "draft-2020-12" })));
  const { properties } = isJsonObject(json) ? describeSettings(id, json) : {};
  return isJsonObject(properties) ? properties : {};
}

/** A plan to condense with one strategy and no fallback. */
export function makePlan(strategy: Strategy, budgetTokens: number, config?: unknown): CondensingPlan {
  return { ...makeContext(budgetTokens), choices: [{ strategy, config }] };
}

/** Completes a run with the same answer to every ask; returns the result and the asks. */
export function finish<T>(running: RunSteps<T>, answer: (ask: Ask) => Answer): { result: T; asks: Ask[] } {
  const asks: Ask[] = [];
  let step = running.next();
  while (step.done !== true) {
    asks.push(...step.value);
    step = running.next(step.value.map(answer));
  }
  return { result: step.value, asks };
}

/** An answer that counts the summarized messages. */
export function shortAnswer(ask: Ask): Answer {
  return { kind: "text", text: `A summary of ${ask.messages.length} messages.` };
}

/**
 * Returns the draft of a conversation that has grown: new messages are appended unchanged. The conversation must start with the raw
 * messages of the draft.
 */
export function growDraft({ raw, slots }: Draft, grown: Conversation): Draft {
  const { length } = raw.messages;
  const fresh = grown.messages.slice(length).map((message, offset) => keptSlot(message, length + offset, []));
  return makeDraft(grown, [...slots, ...fresh]);
}

/** Counts four characters as a token plus three tokens per message: fast, predictable and additive. */
export function makeCounter(): TokenCounter {
  const remembered = new WeakMap<Message, number>();
  const countText = (text: string) => Math.ceil(text.length / 4);
  const countBlock = (block: Block): number => {
    switch (block.type) {
      case "text":
      case "thinking":
        return countText(block.text);
      case "tool-call":
        return countText(block.name + JSON.stringify(block.input));
      case "tool-result":
        return 1 + block.content.reduce((sum, entry) => sum + countBlock(entry), 0);
      case "image":
        return 300;
      case "redacted-thinking":
        return countText(block.data);
      default:
        return countText(JSON.stringify(block));
    }
  };
  const sumOf = (blocks: readonly Block[]) => blocks.reduce((sum, block) => sum + countBlock(block), 0);
  const countMessage = (message: Message) => {
    const known = remembered.get(message) ?? 3 + sumOf(message.blocks);
    remembered.set(message, known);
    return known;
  };
  const countTools = (tools: readonly Tool[]) => tools.reduce((sum, tool) => sum + countText(JSON.stringify(tool)), 0);
  const countConversation = ({ system, tools, messages }: Conversation) =>
    sumOf(system) + countTools(tools) + messages.reduce((sum, message) => sum + countMessage(message), 0);
  return { countText, countBlock, countMessage, countSystem: sumOf, countTools, countConversation };
}
