import type { Model } from "@longhaul/models/catalog";
import { moonshotMessage } from "../compatible/api.ts";
import { ensure, Rejection } from "../core/api.ts";
import type { Output } from "../core/compose.ts";
import { isGiven, type JsonObject, objectIn, objectsIn, omit, textIn } from "../core/json.ts";
import { digest, idFrom } from "../core/text.ts";
import type { World } from "../core/world.ts";
import { callsIn } from "../openai-chat/request.ts";

export function checkReasoning({ reasoning, reasoning_effort }: JsonObject): void {
  const { effort, max_tokens } = objectIn(reasoning);
  ensure(
    !isGiven(effort) || !isGiven(max_tokens),
    'Only one of "reasoning.effort" and "reasoning.max_tokens" can be specified',
  );
  ensure(
    !isGiven(reasoning) || !isGiven(reasoning_effort),
    'Only one of "reasoning" and "reasoning_effort" can be specified',
  );
}

export function isReasoning({ reasoning, reasoning_effort }: JsonObject, isByDefault: boolean): boolean {
  const { effort, enabled, max_tokens } = objectIn(reasoning);
  const requested = effort ?? reasoning_effort;
  if (isGiven(requested)) return requested !== "none";
  if (typeof enabled === "boolean") return enabled;
  return isGiven(max_tokens) || isByDefault;
}

const FORMATS: Readonly<Record<string, string>> = {
  anthropic: "anthropic-claude-v1",
  google: "google-gemini-v1",
  openai: "openai-responses-v1",
};

/**
 * Returns reasoning in the format of the model's vendor. All of it must be sent back unchanged and in order. `callId` is the client's id of
 * the first call that it led to.
 */
export function reasoningDetails(
  { text, isRedacted }: NonNullable<Output["thinking"]>,
  { model, callId, world }: { model: Model; callId: string | undefined; world: World },
): readonly JsonObject[] {
  const format = FORMATS[model.vendor] ?? "unknown";
  const shared = { format, index: 0 };
  const seal = (details: readonly JsonObject[]) => world.seals.seal("reasoning-details", { text: digestOf(details) });
  const encrypted = { type: "reasoning.encrypted", ...shared };
  if (isRedacted) return [{ ...encrypted, data: seal([encrypted]) }];
  const readable = { type: "reasoning.text", text, ...shared };
  switch (model.vendor) {
    case "anthropic":
      return [{ ...readable, signature: seal([readable]) }];
    case "google": {
      if (callId === undefined) return [readable];
      const proof = { ...encrypted, id: callId };
      return [readable, { ...proof, data: seal([readable, proof]) }];
    }
    case "openai": {
      const summary = { type: "reasoning.summary", summary: text, ...shared };
      const item = { ...encrypted, id: idFrom("rs_", text) };
      return [summary, { ...item, data: seal([summary, item]) }];
    }
    default:
      return [readable];
  }
}

/** Hashes details without their signatures, for any order of fields. */
function digestOf(details: readonly JsonObject[]): string {
  const bare = details.map((detail) => Object.entries(omit(detail, "signature", "data")).toSorted());
  return digest(JSON.stringify(bare));
}

/** Google accepts this in place of a signature, for calls that another model made. */
const PLACEHOLDER_SIGNATURE = "skip_thought_signature_validator";

/** Rejects reasoning that was not made here or was changed, and calls without reasoning if the model requires it. */
export function checkDetails(body: JsonObject, model: Model, { seals }: World): void {
  for (const [at, message] of objectsIn(body.messages).entries()) {
    const details = objectsIn(message.reasoning_details);
    const sealed = details.map(({ signature, data }) => textIn(signature) || textIn(data)).find((text) => text !== "");
    const isOwn = sealed === undefined || seals.open("reasoning-details", sealed)?.text === digestOf(details);
    const isPlaceholder =
      sealed === PLACEHOLDER_SIGNATURE && model.vendor === "google" && details[0]?.id === callsIn(message)[0]?.id;
    if (!isOwn && !isPlaceholder)
      throw refusal(`messages.${at}.content.0: Invalid \`signature\` in \`thinking\` block`);
    if (callsIn(message).length > 0) checkRequired(body, { message, at, model, isSealed: sealed !== undefined });
  }
}

function checkRequired(
  body: JsonObject,
  { message, at, model, isSealed }: { message: JsonObject; at: number; model: Model; isSealed: boolean },
): void {
  const { vendor, reasoning } = model;
  if (vendor === "google" && reasoning.kind === "level" && !isSealed)
    throw refusal(
      "Gemini models require OpenRouter reasoning details to be preserved in each request. Function call is missing a thought_signature in functionCall parts.",
    );
  const hasText = objectsIn(message.reasoning_details).some(({ text }) => textIn(text) !== "");
  if (vendor === "moonshotai" && isReasoning(body, reasoning.onByDefault) && !hasText)
    throw refusal(moonshotMessage(at));
}

function refusal(message: string): Rejection {
  const error = { type: "invalid_request_error", message };
  return new Rejection(400, "Provider returned error", { type: JSON.stringify({ type: "error", error }) });
}
