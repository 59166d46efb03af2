import { findModel } from "@longhaul/models/catalog";
import { type MessagesRequest, messagesIn } from "../anthropic/request.ts";
import type { Call } from "../core/api.ts";
import type { JsonObject } from "../core/json.ts";
import type { Prompt, PromptTurn } from "../core/prompt.ts";
import { makeWorld } from "../core/world.ts";
import type { GeminiRequest } from "../gemini/request.ts";
import type { OpenaiRequest } from "../openai/api.ts";

export function makeCall(parts: Partial<Call> = {}): Call {
  return {
    method: "GET",
    path: "/",
    query: new URLSearchParams(),
    headers: {},
    bytes: new Uint8Array(),
    seed: "seed",
    body: undefined,
    params: [],
    requestId: "req_1",
    record: {},
    ...parts,
  };
}

const { catalog } = makeWorld({});

/** A request to Chat Completions with one user message, for `gpt-4o` unless the body names another model. */
export function makeChatRequest(body: JsonObject = {}): OpenaiRequest {
  const whole = { model: "gpt-4o", messages: [{ role: "user", content: "hello" }], ...body };
  return { body: whole, model: findModel(catalog, whole.model, "openai").model, credential: "key" };
}

/** A request to the Responses API with a short input, for `gpt-5` unless the body names another model. */
export function makeResponsesRequest(body: JsonObject = {}): OpenaiRequest {
  const whole = { model: "gpt-5", input: "hello", ...body };
  return { body: whole, model: findModel(catalog, whole.model, "openai").model, credential: "key" };
}

/** A request to the Gemini API with one user content, for `gemini-3.5-flash` unless another model is named. */
export function makeGeminiRequest(body: JsonObject = {}, parts: Partial<GeminiRequest> = {}): GeminiRequest {
  return {
    api: "gemini",
    body: { contents: [{ role: "user", parts: [{ text: "hello" }] }], ...body },
    model: findModel(catalog, "gemini-3.5-flash", "google").model,
    credential: "key",
    delivery: "whole",
    ...parts,
  };
}

export function geminiModel(id: string): GeminiRequest["model"] {
  return findModel(catalog, id, "google").model;
}

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

export function makePrompt(parts: Partial<Prompt> = {}): Prompt {
  return {
    api: "anthropic",
    model: "claude-opus-4-6",
    system: "",
    turns: [makeTurn("user", { texts: ["hello"] })],
    tools: [],
    thinks: false,
    stopSequences: [],
    ...parts,
  };
}

/** One turn, empty except for the given fields. */
export function makeTurn(role: PromptTurn["role"], parts: Partial<PromptTurn> = {}): PromptTurn {
  return { role, texts: [], calls: [], results: [], ...parts };
}
