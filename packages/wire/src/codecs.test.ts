import type { Request } from "@longhaul/conversation/advanced";
import { makeAssistant, makeUser } from "@longhaul/conversation/testing";
import { describe, expect, it } from "vitest";
import { CODECS, codecNamed, codecOf, findCodec } from "./codecs.ts";
import { MESSAGE_CODECS } from "./message-codecs.ts";

describe("codecOf", () => {
  it("finds every codec by its id", () => {
    for (const codec of CODECS) expect(codecOf(codec.id)).toBe(codec);
    expect(new Set(CODECS.map(({ id }) => id)).size).toBe(CODECS.length);
  });

  it("lists the known formats for an unknown name", () => {
    expect(() => codecNamed("morse")).toThrow(/"morse"; known formats: anthropic-messages, /);
  });
});

describe("findCodec", () => {
  it("finds wire formats only", () => {
    expect(findCodec("gemini")).toBe(codecOf("gemini"));
    expect([findCodec("claude-code"), findCodec(undefined)]).toEqual([undefined, undefined]);
  });
});

it("lists the messages of every format", () => {
  expect(MESSAGE_CODECS.map(({ id }) => id)).toEqual(CODECS.map(({ id }) => id));
});

describe("decodeUsage", () => {
  it.each([
    ["anthropic-messages", { input_tokens: 3, cache_read_input_tokens: 4, output_tokens: 5 }],
    ["openai-chat", { prompt_tokens: 7, completion_tokens: 5, prompt_tokens_details: { cached_tokens: 4 } }],
    ["openai-responses", { input_tokens: 7, output_tokens: 5, input_tokens_details: { cached_tokens: 4 } }],
    ["gemini", { promptTokenCount: 7, cachedContentTokenCount: 4, candidatesTokenCount: 5 }],
  ])("decodes the fields of %s", (wire, value) => {
    const usage = { inputTokens: 3, cacheReadTokens: 4, cacheWriteTokens: 0, outputTokens: 5 };
    expect(codecNamed(wire).decodeUsage(value)).toEqual(usage);
  });
});

describe("decodeSteps", () => {
  const COUNT = 2_560;
  const many = (value: object) => Array.from({ length: COUNT }, () => value);

  it.each([
    ["anthropic-messages", "messages", { name: "f" }],
    ["openai-chat", "messages", { type: "function", function: { name: "f" } }],
    ["openai-responses", "input", { type: "function", name: "f" }],
    ["gemini", "contents", { functionDeclarations: [{ name: "f" }] }],
  ])("pauses several times among the messages and the tools of %s", (wire, listKey, tool) => {
    const codec = codecNamed(wire);
    const pausesIn = (body: object) => [...codec.decodeSteps(body)].length;
    const messages = many({ role: "user", content: "hi", parts: [{ text: "hi" }] });
    expect(pausesIn({ model: "m", [listKey]: messages })).toBeGreaterThanOrEqual(20);
    expect(pausesIn({ model: "m", [listKey]: [], tools: many(tool) })).toBeGreaterThanOrEqual(20);
  });

  it("pauses among the functions of one Gemini entry", () => {
    const tools = [{ functionDeclarations: many({ name: "f" }) }];
    expect([...codecNamed("gemini").decodeSteps({ contents: [], tools })].length).toBeGreaterThanOrEqual(10);
  });

  it.each(CODECS.map((codec) => [codec.id, codec] as const))(
    "returns to other work while %s is encoded",
    (_, codec) => {
      // Adjacent messages of one role would be merged.
      const messages = Array.from({ length: COUNT }, (_, index) =>
        index % 2 === 0 ? makeUser("hi") : makeAssistant("ho"),
      );
      const request: Request = {
        model: "m",
        stream: false,
        sampling: {},
        conversation: { system: [], tools: [], messages },
      };
      const steps = [...codec.encodeSteps(request, { model: "m" })].length;
      const [first] = messages;
      const alone = { ...request, conversation: { ...request.conversation, messages: first ? [first] : [] } };
      expect(steps - [...codec.encodeSteps(alone, { model: "m" })].length).toBe(COUNT / 256);
    },
  );
});
