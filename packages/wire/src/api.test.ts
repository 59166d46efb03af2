import { describe, expect, it } from "vitest";
import { CODECS, codecOf } from "./codecs.ts";

const MODELS = ["a", "b", "c"].map((id) => ({ id, vendor: "acme", inputTokens: 1_000, outputTokens: 100 }));
const RATE_LIMIT = { requests: 60, remaining: 57, resetsAt: "2026-05-01T10:01:00.000Z", resetSeconds: 13 };

const query = (fields: Readonly<Record<string, string>>) => ({ get: (name: string) => fields[name] ?? null });

describe("the endpoints of all formats", () => {
  it.each([
    ["POST", "/v1/messages", "anthropic-messages", "generate"],
    ["POST", "/messages/count_tokens", "anthropic-messages", "count-tokens"],
    ["POST", "/v1/chat/completions", "openai-chat", "generate"],
    ["GET", "/v1/models/gpt-5", "openai-chat", "list-models"],
    ["POST", "/v1/responses", "openai-responses", "generate"],
    ["POST", "/v1/responses/input_tokens", "openai-responses", "count-tokens"],
    ["GET", "/v1beta/models", "gemini", "list-models"],
    ["POST", "/v1beta/models/gemini-2.5-pro:streamGenerateContent", "gemini", "generate"],
    ["POST", "/v1/models/tuned/x:y:countTokens", "gemini", "count-tokens"],
  ])("are unambiguous: %s %s", (method, path, wire, action) => {
    const found = CODECS.flatMap(({ id, api }) =>
      api.endpoints
        .filter((endpoint) => endpoint.method === method && endpoint.path.test(path) && endpoint.isShared !== true)
        .map((endpoint) => [id, endpoint.action]),
    );
    expect(found).toEqual([[wire, action]]);
  });

  it("are shared only with formats whose clients send their own header", () => {
    for (const { api } of CODECS) {
      const isShared = api.passed.shared.length > 0 || api.endpoints.some((endpoint) => endpoint.isShared);
      expect(isShared).toBe(api.clientHeader !== undefined);
    }
  });
});

describe("encodeCount", () => {
  it.each([
    ["anthropic-messages", { input_tokens: 7 }],
    ["openai-responses", { object: "response.input_tokens", input_tokens: 7 }],
    ["gemini", { totalTokens: 7 }],
  ] as const)("spells a count as clients of %s read it", (wire, body) => {
    expect(codecOf(wire).api.encodeCount(7)).toEqual(body);
  });
});

describe("countedRequest", () => {
  it("returns the request nested in Gemini's count", () => {
    const inner = { contents: [] };
    const { countedRequest } = codecOf("gemini").api;
    expect([countedRequest?.({ generateContentRequest: inner }), countedRequest?.({ contents: [] })]).toEqual([
      inner,
      undefined,
    ]);
  });
});

describe("encodeModels", () => {
  it.each(["anthropic-messages", "openai-chat", "openai-responses"] as const)("pages by the last id: %s", (wire) => {
    const { encodeModel, encodeModels } = codecOf(wire).api;
    expect(encodeModels(MODELS, query({ after_id: "a", limit: "1" }))).toEqual({
      object: "list",
      data: MODELS.slice(1, 2).map(encodeModel),
      has_more: true,
      first_id: "b",
      last_id: "b",
    });
    expect(encodeModels(MODELS, query({ limit: "none" }))).toMatchObject({ has_more: false, last_id: "c" });
  });

  it("pages Gemini's list by a token with the start of the next page", () => {
    const { encodeModel, encodeModels } = codecOf("gemini").api;
    const all = MODELS.map(encodeModel);
    expect(encodeModels(MODELS, query({ pageSize: "2" }))).toEqual({ models: all.slice(0, 2), nextPageToken: "2" });
    expect(encodeModels(MODELS, query({ pageSize: "2", pageToken: "2" }))).toEqual({ models: all.slice(2) });
  });

  it("encodes limits in each vendor's fields", () => {
    const [model] = MODELS;
    if (model === undefined) throw new Error("no model");
    expect(codecOf("openai-chat").api.encodeModel(model)).toMatchObject({ owned_by: "acme", max_input_tokens: 1_000 });
    expect(codecOf("gemini").api.encodeModel(model)).toMatchObject({ name: "models/a", inputTokenLimit: 1_000 });
  });
});

describe("encodeRateLimit", () => {
  it.each([
    ["anthropic-messages", { "anthropic-ratelimit-requests-reset": "2026-05-01T10:01:00.000Z" }],
    ["openai-chat", { "x-ratelimit-reset-requests": "13s" }],
    ["openai-responses", { "x-ratelimit-remaining-requests": "57" }],
  ] as const)("names the headers that clients of %s look for", (wire, headers) => {
    expect(codecOf(wire).api.encodeRateLimit(RATE_LIMIT)).toMatchObject(headers);
  });

  it("returns no headers for Gemini, whose clients read none", () => {
    expect(codecOf("gemini").api.encodeRateLimit(RATE_LIMIT)).toEqual({});
  });
});

describe("streamsList", () => {
  it("is true for Gemini unless the client requests events", () => {
    const answers = [{}, { alt: "json" }, { alt: "sse" }].map((fields) =>
      codecOf("gemini").api.streamsList?.(query(fields)),
    );
    expect(answers).toEqual([true, true, false]);
  });
});

describe("reasoning fields", () => {
  it.each([
    ["anthropic-messages", "thinking", { type: "enabled" }, false],
    ["anthropic-messages", "thinking.type", "adaptive", true],
    ["openai-chat", "reasoning_effort", "huge", false],
    ["openai-chat", "reasoning.max_tokens", 5, true],
    ["openai-responses", "reasoning.effort", "low", true],
    ["gemini", "generationConfig.thinkingConfig.thinkingLevel", "HIGH", true],
    ["gemini", "generationConfig.thinkingConfig.thinkingBudget", -2, false],
  ] as const)("of %s say whether %s may be %j", (wire, path, value, expected) => {
    const known = new Map(codecOf(wire).reasoning.known);
    expect(known.get(path)?.(value)).toBe(expected);
  });

  it("distinguish hiding the reasoning from changing its effort", () => {
    const { excludesOnly } = codecOf("openai-chat").reasoning;
    const bodies = [{ reasoning: { exclude: true } }, { reasoning: { exclude: true, effort: "low" } }, {}];
    expect(bodies.map(excludesOnly)).toEqual([true, false, false]);
    const others = CODECS.filter(({ id }) => id !== "openai-chat");
    expect(others.some(({ reasoning }) => reasoning.excludesOnly({ reasoning: { exclude: true } }))).toBe(false);
  });
});

describe("wantsStreamUsage", () => {
  it("is defined only for chat bodies", () => {
    const asked = [{}, { stream_options: null }, { stream_options: { include_usage: true } }].map((body) =>
      codecOf("openai-chat").wantsStreamUsage?.(body),
    );
    expect(asked).toEqual([false, false, true]);
    expect(CODECS.filter(({ wantsStreamUsage }) => wantsStreamUsage !== undefined).map(({ id }) => id)).toEqual([
      "openai-chat",
    ]);
  });
});
