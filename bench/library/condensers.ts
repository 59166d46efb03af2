import { type BaseMessage, trimMessages } from "@langchain/core/messages";
import { condenseMessages, fitMessages } from "@longhaul/adapters";
import type { Message } from "@longhaul/conversation";
import type { TokenCounter } from "@longhaul/models";
import { type ModelMessage, pruneMessages } from "ai";
import { decodeModelMessages } from "../../packages/adapters/src/ai-sdk/model-messages.ts";
import { decodeMessages } from "../../packages/adapters/src/langchain/decode-messages.ts";
import { toLangChain, toModelMessages } from "./messages.ts";

const MODEL = "claude-sonnet-4-5";

/** Condenses the messages of a conversation to a budget, once or turn by turn. */
export interface Condenser {
  readonly name: string;
  /** Returns what a model would read, as canonical messages. */
  condense(messages: readonly Message[], budgetTokens: number): Promise<readonly Message[]>;
  /** Makes a condenser for one growing conversation. */
  open(windowTokens: number): (messages: readonly Message[]) => Promise<readonly Message[]>;
}

/** Returns Longhaul and the alternatives. They count tokens alike. */
export function makeCondensers(counter: TokenCounter): readonly Condenser[] {
  return [longhaul("smart"), longhaul("middle-out"), pruning(counter), trimming(counter)];
}

function longhaul(strategy: "smart" | "middle-out"): Condenser {
  return {
    name: `Longhaul ${strategy}`,
    condense: async (messages, budget) => {
      const given = messages.flatMap(toModelMessages);
      const condensed = await condenseMessages(given, { model: MODEL, format: "ai-sdk", budget, strategy });
      return decodeModelMessages(condensed.messages).messages;
    },
    open: (windowTokens) => {
      const fit = fitMessages({ model: MODEL, format: "ai-sdk", windowTokens, reservedTokens: 0, strategy });
      return async (messages) => decodeModelMessages((await fit(messages.flatMap(toModelMessages))).messages).messages;
    },
  };
}

/** The numbers of newest messages whose tool calls stay, most first. */
const KEPT = [64, 32, 16, 8, 4, 2] as const;

/** The SDK prunes by position and not by size: it keeps the tool calls of as many newest messages as fit. */
function pruning(counter: TokenCounter): Condenser {
  const prune = (messages: readonly Message[], budgetTokens: number): readonly Message[] => {
    const given: ModelMessage[] = messages.flatMap(toModelMessages);
    const sizes = KEPT.map((kept) => `before-last-${kept}-messages` as const);
    let left = decodeModelMessages(given).messages;
    for (const toolCalls of ["none", ...sizes, "all"] as const) {
      const pruned = pruneMessages({ messages: given, reasoning: "all", toolCalls, emptyMessages: "remove" });
      left = decodeModelMessages(pruned).messages;
      if (sizeOf(left, counter) <= budgetTokens) break;
    }
    return left;
  };
  return {
    name: "AI SDK pruneMessages",
    condense: async (messages, budgetTokens) => prune(messages, budgetTokens),
    open: (windowTokens) => async (messages) => prune(messages, windowTokens),
  };
}

function trimming(counter: TokenCounter): Condenser {
  const count = (messages: BaseMessage[]) => sizeOf(decodeMessages(messages).messages, counter);
  const trim = async (messages: readonly Message[], maxTokens: number) => {
    const options = { maxTokens, tokenCounter: count, strategy: "last", includeSystem: true } as const;
    return decodeMessages(await trimMessages(messages.flatMap(toLangChain), options)).messages;
  };
  return { name: "LangChain trimMessages", condense: trim, open: (tokens) => (messages) => trim(messages, tokens) };
}

/** Returns the tokens of messages. */
export function sizeOf(messages: readonly Message[], counter: TokenCounter): number {
  return counter.countConversation({ system: [], tools: [], messages });
}
