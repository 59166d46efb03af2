import { type Block, latestUserMessage, type Message, type Request } from "@longhaul/conversation";
import type { Fitting } from "../codec/rules.ts";
import { UNSIGNED_CALL } from "../content/signature.ts";
import { withBlocks, withMessages } from "../fit/blocks.ts";

/** Settles what becomes of calls whose thinking is gone, at servers that refuse them (docs/wire/openai-chat.md#thinking). */
export function settleLostThinking(request: Request, fitting: Fitting): Request {
  const { thinkingField, signedCalls, demandsThinking: demand } = fitting.target;
  const isRouter = thinkingField === "reasoning_details";
  if (isRouter && signedCalls === true) return vouchForCalls(request, fitting);
  if (demand === undefined || request.reasoning?.mode === "off") return request;
  if (isRouter) return isLost(request, demand) ? withoutThinking(request, fitting) : request;
  return thinkingField === "reasoning_content" && demand === "always" ? withEmptyThinking(request, fitting) : request;
}

/** Gemini wants a proof with each round of calls; Google has a word for calls that have none. */
function vouchForCalls(request: Request, { rules, warn }: Fitting): Request {
  return mapLost(request, (first) => {
    const message = "a call without a thought signature is sent with the word that Google takes instead";
    warn({ feature: "reasoning.lost", action: "changed", message });
    const data = UNSIGNED_CALL;
    const value = { type: "reasoning.encrypted", data, id: first.id, format: "google-gemini-v1", index: 0 };
    return { type: "redacted-thinking", data, vendor: "google", native: { wire: rules.wire, value } };
  });
}

/** DeepSeek and Moonshot only look whether the field is there. */
function withEmptyThinking(request: Request, { warn }: Fitting): Request {
  return mapLost(request, () => {
    const message = "the thinking before a call is gone, and the call is sent with none";
    warn({ feature: "reasoning.lost", action: "changed", message });
    return { type: "thinking", text: "" };
  });
}

function withoutThinking(request: Request, { target, rules, warn }: Fitting): Request {
  if (!(target.reasoning ?? rules.reasoning).modes.includes("off")) return request;
  const message = "a tool loop whose thinking is gone goes on without thinking";
  warn({ feature: "reasoning", action: "dropped", message });
  return { ...request, reasoning: { mode: "off" } };
}

/** Claude wants the thinking of the loop under way, and that only where it has a budget; others want all that there ever was. */
function isLost({ conversation, reasoning }: Request, demand: "in-loop" | "always"): boolean {
  const { messages } = conversation;
  if (demand === "always") return messages.some((message) => lostCall(message) !== undefined);
  const loop = messages.slice(latestUserMessage(messages) + 1);
  return reasoning?.mode === "budget" && loop.some((message) => lostCall(message) !== undefined);
}

type Call = Extract<Block, { type: "tool-call" }>;

/** Puts something in the place of thinking that is gone. */
function mapLost(request: Request, standIn: (first: Call) => Block): Request {
  const { messages } = request.conversation;
  const whole = messages.map((message) => {
    const first = lostCall(message);
    return first === undefined ? message : withBlocks(message, [standIn(first), ...message.blocks]);
  });
  return whole.every((message, index) => message === messages[index]) ? request : withMessages(request, whole);
}

/** The first call of a message that has no thinking. */
function lostCall({ role, blocks }: Message): Call | undefined {
  if (role !== "assistant" || blocks.some(({ type }) => type === "thinking" || type === "redacted-thinking")) return;
  return blocks.find((block) => block.type === "tool-call");
}
