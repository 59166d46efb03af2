import { describe, expect, it } from "vitest";
import { fillTemplate, findEndpoint, guessWire, PASSED_PATHS } from "./endpoints.ts";

describe("findEndpoint", () => {
  it.each([
    ["POST", "/v1/messages", { wire: "anthropic-messages", action: "generate" }],
    ["POST", "/messages", { wire: "anthropic-messages", action: "generate" }],
    ["POST", "/v1/messages/count_tokens", { wire: "anthropic-messages", action: "count-tokens" }],
    ["POST", "/v1/chat/completions", { wire: "openai-chat", action: "generate" }],
    ["POST", "/chat/completions", { wire: "openai-chat", action: "generate" }],
    ["POST", "/v1/responses", { wire: "openai-responses", action: "generate" }],
    ["POST", "/v1/responses/input_tokens", { wire: "openai-responses", action: "count-tokens" }],
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
      "/v1beta/models/a b:streamGenerateContent",
      { wire: "gemini", action: "generate", model: "a b", stream: true },
    ],
    [
      "POST",
      "/v1beta/models/google/g:4k:generateContent",
      { wire: "gemini", action: "generate", model: "google/g:4k", stream: false },
    ],
    ["POST", "/v1beta/models/g:countTokens", { wire: "gemini", action: "count-tokens", model: "g" }],
  ])("finds %s %s", (method, path, endpoint) => {
    expect(findEndpoint(method, path)).toEqual({ method, ...endpoint });
  });

  it.each([
    ["POST", "/v1/responses/compact", "openai-responses", "/responses/compact", {}],
    ["GET", "/v1/responses/resp_1", "openai-responses", "/responses/{id}", { id: "resp_1" }],
    ["POST", "/v1/conversations", "openai-responses", "/conversations", {}],
    ["POST", "/v1/embeddings", "openai-chat", "/embeddings", {}],
    ["POST", "/completions", "openai-chat", "/completions", {}],
    ["GET", "/v1/messages/batches/b1/results", "anthropic-messages", "/messages/batches/{id}/results", { id: "b1" }],
    ["DELETE", "/v1/files/f1", "openai-chat", "/files/{id}", { id: "f1" }],
    ["POST", "/v1/models/a/b:c:embedContent", "gemini", "/models/{model}:embedContent", {}],
  ])("passes on %s %s in the dialect %s by its template", (method, path, wire, template, values) => {
    expect(findEndpoint(method, path)).toMatchObject({ method, wire, action: "pass", passed: { template, values } });
  });

  it.each(["/v1/models", "/v1/files"])("recognizes the dialect of a client of %s by its header", (path) => {
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
  ])("has no endpoint at %s %s", (method, path) => {
    expect(findEndpoint(method, path)).toBeUndefined();
  });
});

describe("fillTemplate", () => {
  const passed = { template: "/a/{id}/b/{model}:c", isStateful: false, isFile: false, values: { id: "x/y?z" } };

  it("encodes each value as one segment", () => {
    expect(fillTemplate(passed, "g/1:2")).toBe("/a/x%2Fy%3Fz/b/g%2F1%3A2:c");
  });

  it.each(["", ".", ".."])("rejects the value %j", (id) => {
    expect(() => fillTemplate({ ...passed, values: { id } }, "g")).toThrow("cannot be part of a path");
  });
});

describe("guessWire", () => {
  it.each([
    ["/v1beta/x", {}, "gemini"],
    ["/v1/x", {}, "openai-chat"],
    ["/v1/x", { "anthropic-version": "1" }, "anthropic-messages"],
    ["/v1/messages/..", {}, "anthropic-messages"],
    ["/v1/responses/..", {}, "openai-responses"],
    ["/x", { "anthropic-version": "1" }, undefined],
  ])("guesses for %s with the headers %o: %s", (target, headers, wire) => {
    expect(guessWire(target, headers)).toBe(wire);
  });
});

it("lists no method and template of a dialect twice", () => {
  const named = PASSED_PATHS.map(({ wire, method, template }) => `${wire} ${method} ${template}`);
  expect(new Set(named).size).toBe(named.length);
});

it("marks every path of files, batches, stored responses and the like as stateful", () => {
  const calls = PASSED_PATHS.filter(({ isStateful }) => !isStateful);
  expect(calls.filter(({ method, template }) => method !== "POST" || /\{(?!model)/.test(template))).toEqual([]);
  const kept = /files|batches|vector_stores|conversations|responses\/\{/;
  expect(PASSED_PATHS.filter(({ template, isStateful }) => kept.test(template) !== isStateful)).toEqual([]);
});
