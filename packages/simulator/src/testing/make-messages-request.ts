import { findModel } from "@longhaul/models/catalog";
import { messagesIn } from "../anthropic/messages.ts";
import type { MessagesRequest } from "../anthropic/request.ts";
import type { JsonObject } from "../core/json.ts";
import { makeWorld } from "../core/make-world.ts";

const { catalog } = makeWorld({});

/** A request to the Messages API with one user message, for `claude-opus-4-6` unless the body names another model. */
export function makeMessagesRequest(body: JsonObject = {}, betas: readonly string[] = []): MessagesRequest {
  const whole = {
    model: "claude-opus-4-6",
    max_tokens: 1_024,
    messages: [{ role: "user", content: "hello" }],
    ...body,
  };
  return {
    api: "anthropic",
    body: whole,
    model: findModel(catalog, whole.model, "anthropic").model,
    messages: messagesIn(whole),
    betas: new Set(betas),
    isStream: body.stream === true,
    credential: "key",
  };
}
