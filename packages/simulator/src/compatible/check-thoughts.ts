import type { Model } from "@longhaul/models/catalog";
import { isGiven, type JsonObject, objectIn, objectsIn } from "../core/json.ts";
import { demand } from "../core/rejection.ts";
import { callsIn } from "../openai-chat/messages.ts";

/** Whether the model is to think: unless it is told not to, in OpenAI's words or in the vendors' own. */
export function isThinking({ reasoning_effort, thinking }: JsonObject, { reasoning }: Model): boolean {
  return reasoning.kind !== "none" && reasoning_effort !== "none" && objectIn(thinking).type !== "disabled";
}

/** Refuses a tool call that came back without the reasoning before it, empty or not. */
export function checkThoughts(body: JsonObject, model: Model): void {
  if (!isThinking(body, model)) return;
  const words = model.vendor === "deepseek" ? missingAtDeepSeek : missingThoughts;
  for (const [at, message] of objectsIn(body.messages).entries()) {
    const isWhole = callsIn(message).length === 0 || isGiven(message.reasoning_content);
    demand(isWhole, () => words(at));
  }
}

/** Moonshot's words for it. */
export function missingThoughts(at: number): string {
  return `thinking is enabled but reasoning_content is missing in assistant tool call message at index ${at}`;
}

function missingAtDeepSeek(at: number): string {
  return `Missing \`reasoning_content\` field in the assistant message at message index ${at}. For more information, please refer to https://api-docs.deepseek.com/guides/thinking_mode#tool-calls`;
}
