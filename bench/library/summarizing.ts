import { SimpleChatModel } from "@langchain/core/language_models/chat_models";
import { type BaseMessage, isBaseMessage, RemoveMessage } from "@langchain/core/messages";
import type { Message } from "@longhaul/conversation";
import type { TokenCounter } from "@longhaul/models";
import { summarizationMiddleware } from "langchain";
import { decodeMessages } from "../../packages/adapters/src/langchain/decode-messages.ts";
import { type Condenser, sizeOf } from "./condensers.ts";
import { toLangChain } from "./messages.ts";

/** Share of the window that stays verbatim in a growing session, so that the next messages have room. */
const KEEP_SHARE = 0.5;
/** Most tokens of a summary with its heading. */
const SUMMARY_TOKENS = 1_500;

/** LangChain's middleware, which replaces the older messages of the state with a summary. */
export function summarizing(counter: TokenCounter): Condenser {
  const start = (tokens: number, kept: number) => {
    const summarize = summarizerFor({ tokens, kept }, counter);
    let state: BaseMessage[] = [];
    let read = 0;
    return async (messages: readonly Message[]) => {
      state = await summarize([...state, ...messages.slice(read).flatMap(toLangChain)]);
      read = messages.length;
      return decodeMessages(state).messages;
    };
  };
  return {
    name: "LangChain summarizationMiddleware",
    condense: async (messages, budgetTokens) => {
      const kept = Math.max(budgetTokens * KEEP_SHARE, budgetTokens - SUMMARY_TOKENS);
      return await start(budgetTokens, kept)(messages);
    },
    open: (windowTokens) => start(windowTokens, windowTokens * KEEP_SHARE),
  };
}

function summarizerFor(
  { tokens, kept }: { readonly tokens: number; readonly kept: number },
  counter: TokenCounter,
): (state: BaseMessage[]) => Promise<BaseMessage[]> {
  const options = {
    model: new ExtractingModel({}),
    trigger: { tokens },
    keep: { tokens: Math.floor(kept) },
    tokenCounter: (messages: BaseMessage[]) => sizeOf(decodeMessages(messages).messages, counter),
  };
  // The parameter's type is `never` with exact optional properties.
  const { beforeModel: hook }: { beforeModel?: unknown } = Reflect.apply(summarizationMiddleware, undefined, [options]);
  return async (state) => {
    if (typeof hook !== "function") throw new Error("the middleware has no beforeModel hook");
    const update: unknown = await hook({ messages: state }, { context: {} });
    return messagesIn(update) ?? state;
  };
}

/** Returns the new messages of a state, without the command that removes the old ones; undefined if nothing changes. */
function messagesIn(update: unknown): BaseMessage[] | undefined {
  if (typeof update !== "object" || update === null || !("messages" in update)) return undefined;
  const { messages } = update;
  return Array.isArray(messages)
    ? messages.filter(isBaseMessage).filter((message) => !RemoveMessage.isInstance(message))
    : undefined;
}

const MAX_SUMMARY_CHARS = 4_000;
const MAX_LINE_CHARS = 200;
/** A path, a call or a name of several words, as in code. */
const NAME = /[\w-]+[./][\w./-]+|\w+\(|[a-z]+[A-Z]\w+|\w+_\w+/;

/** A model that answers with the newest lines of its prompt that have names, as a good summary would. */
class ExtractingModel extends SimpleChatModel {
  override _llmType(): string {
    return "extracting";
  }

  override async _call(messages: BaseMessage[]): Promise<string> {
    const lines = new Set(messages.flatMap(({ text }) => text.split("\n")).filter((line) => NAME.test(line)));
    const kept: string[] = [];
    let chars = 0;
    for (const line of [...lines].toReversed()) {
      chars += Math.min(line.length, MAX_LINE_CHARS) + 1;
      if (chars > MAX_SUMMARY_CHARS) break;
      kept.unshift(line.slice(0, MAX_LINE_CHARS));
    }
    return kept.join("\n");
  }
}
