import { digest } from "../core/digest.ts";
import { isGiven, type JsonObject, objectIn, objectsIn, textIn } from "../core/json.ts";
import type { Output } from "../core/limit.ts";
import { demand, Rejection } from "../core/rejection.ts";
import type { World } from "../core/world.ts";

/** Refuses a wish for reasoning that contradicts itself. */
export function checkReasoning({ reasoning, reasoning_effort }: JsonObject): void {
  const { effort, max_tokens } = objectIn(reasoning);
  demand(
    !isGiven(effort) || !isGiven(max_tokens),
    'Only one of "reasoning.effort" and "reasoning.max_tokens" can be specified',
  );
  demand(
    !isGiven(reasoning) || !isGiven(reasoning_effort),
    'Only one of "reasoning" and "reasoning_effort" can be specified',
  );
}

/** Whether the model is asked to reason. */
export function isReasoning({ reasoning, reasoning_effort }: JsonObject, isByDefault: boolean): boolean {
  const { effort, enabled, max_tokens } = objectIn(reasoning);
  const wish = effort ?? reasoning_effort;
  if (isGiven(wish)) return wish !== "none";
  if (typeof enabled === "boolean") return enabled;
  return isGiven(max_tokens) || isByDefault;
}

/** Reasoning as it is sent: readable with a signature, or encrypted. It has to come back unchanged and in order. */
export function reasoningDetails(
  { text, isRedacted, tokens }: NonNullable<Output["thinking"]>,
  { seals }: World,
): JsonObject {
  const format = "anthropic-claude-v1";
  const sealed = seals.seal("reasoning-detail", { text: digest(isRedacted ? "" : text), tokens });
  if (isRedacted) return { type: "reasoning.encrypted", data: sealed, format, index: 0 };
  return { type: "reasoning.text", text, signature: sealed, format, index: 0 };
}

/** Refuses reasoning that was not made here or was changed, in the words of the provider behind. */
export function checkDetails(body: JsonObject, { seals }: World): void {
  for (const [at, message] of objectsIn(body.messages).entries())
    for (const [index, detail] of objectsIn(message.reasoning_details).entries()) {
      const payload = seals.open("reasoning-detail", textIn(detail.signature) || textIn(detail.data));
      if (payload?.text !== digest(textIn(detail.text))) throw invalidSignature(at, index);
    }
}

function invalidSignature(message: number, index: number): Rejection {
  const error = {
    type: "invalid_request_error",
    message: `messages.${message}.content.${index}: Invalid \`signature\` in \`thinking\` block`,
  };
  return new Rejection(400, "Provider returned error", { type: JSON.stringify({ type: "error", error }) });
}
