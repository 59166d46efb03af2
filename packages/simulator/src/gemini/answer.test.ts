import { expect, it } from "vitest";
import { isObject, type JsonObject, objectIn, objectsIn } from "../core/json.ts";
import { makeWorld, type WorldOptions } from "../core/world.ts";
import { geminiModel, makeCall, makeGeminiRequest } from "../testing/make.ts";
import { answerContent, countTokens, promptOf } from "./answer.ts";
import type { GeminiRequest } from "./request.ts";

const user = (text: string) => ({ contents: [{ role: "user", parts: [{ text }] }] });

function open(options: WorldOptions = {}) {
  const world = makeWorld({ now: () => 0, ...options });
  return (body: JsonObject = {}, parts: Partial<GeminiRequest> = {}) => {
    const call = makeCall();
    const reply = answerContent(makeGeminiRequest(body, parts), call, world);
    const response = reply.kind === "json" && isObject(reply.body) ? reply.body : {};
    return { reply, response, candidate: objectsIn(response.candidates)[0] ?? {}, record: call.record };
  };
}

it("answers, bills and records", () => {
  const { response, candidate, record } = open()(user("hello"));
  expect(objectsIn(objectIn(candidate.content).parts)[0]).toMatchObject({ text: "You said: hello" });
  const usage = objectIn(response.usageMetadata);
  expect(usage).toMatchObject({ thoughtsTokenCount: 24, candidatesTokenCount: expect.any(Number) });
  const outputTokens = Number(usage.candidatesTokenCount) + 24;
  expect(usage.totalTokenCount).toBe(Number(usage.promptTokenCount) + outputTokens);
  expect(record).toMatchObject({
    billed: { inputTokens: usage.promptTokenCount, cacheReadTokens: 0, outputTokens },
    thinkingTokens: 24,
    costUsd: expect.any(Number),
  });
});

it("rejects a prompt over the limit, with its size", () => {
  const model = { ...geminiModel("gemini-3.5-flash"), window: 100 };
  expect(() => open()(user("word ".repeat(200)), { model })).toThrow(
    /^The input token count \(2\d\d\) exceeds the maximum number of tokens allowed \(100\)\.$/,
  );
});

it("allows a full reply beside a prompt that fills the window", () => {
  const model = { ...geminiModel("gemini-3.5-flash"), window: 300 };
  const { candidate } = open()(user(`${"word ".repeat(200)}\nsimulate: words 400`), { model });
  expect(candidate.finishReason).toBe("STOP");
});

it("stops at the limit, even within thinking", () => {
  const { candidate, response } = open()({ ...user("hi"), generationConfig: { maxOutputTokens: 10 } });
  expect(candidate).toEqual({ content: { role: "model" }, finishReason: "MAX_TOKENS", index: 0 });
  expect(response.usageMetadata).toMatchObject({ thoughtsTokenCount: 10 });
  expect(response.usageMetadata).not.toHaveProperty("candidatesTokenCount");
});

it("counts as many tokens as it bills, also beyond the window", () => {
  const body = { ...user("hello"), systemInstruction: { parts: [{ text: "be brief" }] } };
  const counted = countTokens(makeGeminiRequest(body), makeWorld({}));
  const total = counted.kind === "json" ? objectIn(counted.body).totalTokens : undefined;
  expect(total).toBe(objectIn(open()(body).response.usageMetadata).promptTokenCount);
  const model = { ...geminiModel("gemini-3.5-flash"), window: 1 };
  expect(() => countTokens(makeGeminiRequest(body, { model }), makeWorld({}))).not.toThrow();
});

it("streams the same content as events or as an array", () => {
  const answer = open();
  const { candidate } = answer(user("hello"));
  for (const delivery of ["sse", "list"] as const) {
    const { reply } = answer(user("hello"), { delivery });
    const chunks = reply.kind === "stream" ? reply.events.map(({ data = "" }) => JSON.parse(data)) : [];
    const parts = chunks.flatMap((chunk) => chunk.candidates[0].content.parts);
    expect(reply).toMatchObject({ kind: "stream", framing: delivery });
    expect(parts.map(({ text }) => text).join("")).toBe("You said: hello");
    expect(parts.at(-1).thoughtSignature).toBe(objectsIn(objectIn(candidate.content).parts)[0]?.thoughtSignature);
  }
});

it("checks request, contents and signatures", () => {
  const answer = open();
  expect(() => answer({ contents: [] })).toThrow("contents is not specified");
  expect(() => answer({ contents: [{ role: "x", parts: [{ text: "a" }] }] })).toThrow("valid role");
  expect(() => answer({ contents: [{ role: "user", parts: [{ text: "a", thoughtSignature: "AA==" }] }] })).toThrow(
    "Corrupted thought signature.",
  );
});

it("returns the time on Vertex", () => {
  expect(open()(user("hi"), { api: "vertex-gemini" }).response.createTime).toBe("1970-01-01T00:00:00.000Z");
});

const declare = (name: string, rest: object = {}) => ({ functionDeclarations: [{ name, ...rest }] });

it("builds the prompt from system, turns and functions", () => {
  const contents = [
    { role: "user", parts: [{ text: "q" }, { inlineData: { mimeType: "image/png" } }] },
    {
      role: "model",
      parts: [{ text: "hm", thought: true }, { functionCall: { id: "call_s1_a", name: "f", args: { a: 1 } } }],
    },
    { role: "user", parts: [{ functionResponse: { id: "call_s1_a", name: "f", response: { output: "found" } } }] },
    { role: "model", parts: [{ functionCall: { name: "f" } }] },
    { parts: [{ functionResponse: { name: "f", response: { b: 2 } } }] },
  ];
  const prompt = promptOf(
    makeGeminiRequest({
      contents,
      systemInstruction: { parts: [{ text: "be" }, { text: "brief" }] },
      tools: [
        declare("f", { parameters: { type: "OBJECT" } }),
        declare("g", { parametersJsonSchema: { type: "object" } }),
      ],
      generationConfig: { stopSequences: ["END"], thinkingConfig: { thinkingLevel: "MINIMAL" } },
    }),
  );
  expect(prompt).toEqual({
    api: "gemini",
    model: "gemini-3.5-flash",
    system: "be\nbrief",
    turns: [
      { role: "user", texts: ["q"], calls: [], results: [] },
      { role: "assistant", texts: ['{"a":1}'], calls: ["call_s1_a"], results: [] },
      { role: "user", texts: ["found"], calls: [], results: ["call_s1_a"] },
      { role: "assistant", texts: ["{}"], calls: ["call"], results: [] },
      { role: "user", texts: ['{"b":2}'], calls: [], results: ["call"] },
    ],
    tools: [
      { name: "f", schema: { type: "OBJECT" } },
      { name: "g", schema: { type: "object" } },
    ],
    thinks: false,
    stopSequences: ["END"],
  });
});

it("passes on forced calls and the output format", () => {
  const choose = (config: object) =>
    promptOf(makeGeminiRequest({ tools: [declare("f")], toolConfig: { functionCallingConfig: config } }));
  expect(choose({ mode: "ANY" }).mustCall).toBe("any");
  expect(choose({ mode: "ANY", allowedFunctionNames: ["f"] }).mustCall).toBe("f");
  expect(choose({ mode: "NONE" }).tools).toEqual([]);
  const shaped = (config: object) =>
    promptOf(makeGeminiRequest({ generationConfig: { responseMimeType: "application/json", ...config } })).outputSchema;
  expect(shaped({})).toEqual({});
  expect(shaped({ responseSchema: { type: "STRING" } })).toEqual({ type: "STRING" });
  expect(shaped({ responseJsonSchema: { type: "string" } })).toEqual({ type: "string" });
});
