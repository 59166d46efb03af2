import { describe, expect, it } from "vitest";
import { findEndpoint } from "./endpoints.ts";

describe("findEndpoint", () => {
  it.each([
    ["POST", "/v1/messages", { wire: "anthropic-messages", action: "generate" }],
    ["POST", "/messages", { wire: "anthropic-messages", action: "generate" }],
    ["POST", "/v1/messages/count_tokens", { wire: "anthropic-messages", action: "count-tokens" }],
    ["POST", "/v1/chat/completions", { wire: "openai-chat", action: "generate" }],
    ["POST", "/chat/completions", { wire: "openai-chat", action: "generate" }],
    ["POST", "/v1/responses", { wire: "openai-responses", action: "generate" }],
    ["POST", "/v1/responses/input_tokens", { wire: "openai-responses", action: "count-tokens" }],
    ["POST", "/v1/responses/compact", { wire: "openai-responses", action: "pass", rest: "/responses/compact" }],
    ["GET", "/v1/responses/resp_1", { wire: "openai-responses", action: "pass", rest: "/responses/resp_1" }],
    ["POST", "/v1/conversations", { wire: "openai-responses", action: "pass", rest: "/conversations" }],
    ["GET", "/v1/models", { wire: "openai-chat", action: "list-models" }],
    ["GET", "/models/claude-opus-4-6", { wire: "openai-chat", action: "list-models", model: "claude-opus-4-6" }],
    ["GET", "/v1/models/openai/gpt-4o", { wire: "openai-chat", action: "list-models", model: "openai/gpt-4o" }],
    ["GET", "/v1beta/models", { wire: "gemini", action: "list-models" }],
    ["GET", "/v1beta/models/gemini-2.5-pro", { wire: "gemini", action: "list-models", model: "gemini-2.5-pro" }],
    [
      "POST",
      "/v1beta/models/gemini-2.5-pro:generateContent",
      { wire: "gemini", action: "generate", model: "gemini-2.5-pro", stream: false },
    ],
    [
      "POST",
      "/v1beta/models/a%20b:streamGenerateContent",
      { wire: "gemini", action: "generate", model: "a b", stream: true },
    ],
    [
      "POST",
      "/v1beta/models/google/g:4k:generateContent",
      { wire: "gemini", action: "generate", model: "google/g:4k", stream: false },
    ],
    ["POST", "/v1beta/models/g:countTokens", { wire: "gemini", action: "count-tokens", model: "g" }],
    [
      "POST",
      "/v1beta/models/g:embedContent",
      { wire: "gemini", action: "pass", model: "g", rest: "/models/g:embedContent" },
    ],
    ["POST", "/v1/embeddings", { wire: "openai-chat", action: "pass", rest: "/embeddings" }],
    ["POST", "/v1/completions", { wire: "openai-chat", action: "pass", rest: "/completions" }],
    [
      "GET",
      "/v1/messages/batches/b1/results",
      { wire: "anthropic-messages", action: "pass", rest: "/messages/batches/b1/results" },
    ],
    ["DELETE", "/v1/files/f1", { wire: "openai-chat", action: "pass", rest: "/files/f1" }],
  ])("%s %s", (method, path, endpoint) => {
    expect(findEndpoint(method, path)).toEqual({ method, ...endpoint });
  });

  it.each(["/v1/models", "/v1/files"])("knows by its header which dialect a client of %s speaks", (path) => {
    expect(findEndpoint("GET", path, { "anthropic-version": "2023-06-01" })?.wire).toBe("anthropic-messages");
    expect(findEndpoint("GET", path, { authorization: "Bearer k" })?.wire).toBe("openai-chat");
  });

  it.each([
    ["GET", "/v1/messages"],
    ["POST", "/v1/admin"],
    ["PUT", "/v1/files/f1"],
    ["POST", "/v1/models"],
    ["POST", "/v2/messages"],
    ["POST", "/v1beta/models/g:batchGenerate"],
    ["GET", "/"],
  ])("knows nothing at %s %s", (method, path) => {
    expect(findEndpoint(method, path)).toBeUndefined();
  });
});
