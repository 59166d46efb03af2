import { findModel } from "@longhaul/models/catalog";
import type { JsonObject } from "../core/json.ts";
import { makeWorld } from "../core/make-world.ts";
import type { ChatRequest } from "../openai-chat/check-request.ts";

const { catalog } = makeWorld({});

/** A request to Chat Completions with one user message, for `gpt-4o` unless the body names another model. */
export function makeChatRequest(body: JsonObject = {}): ChatRequest {
  const whole = { model: "gpt-4o", messages: [{ role: "user", content: "hello" }], ...body };
  return { body: whole, model: findModel(catalog, whole.model, "openai").model, credential: "key" };
}
