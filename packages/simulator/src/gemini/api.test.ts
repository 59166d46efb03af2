import { ApiError, type Content, FunctionCallingConfigMode, GoogleGenAI, type Part, Type } from "@google/genai";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { Rejection } from "../core/api.ts";
import { isObject, objectsIn } from "../core/json.ts";
import { makeWorld } from "../core/world.ts";
import { openSimulator, type Simulator } from "../simulator.ts";
import { makeCall } from "../testing/make.ts";
import { post } from "../testing/post.ts";
import { geminiDialect, listModels, requireModel, retrieveModel } from "./api.ts";

let simulator: Simulator;
let client: GoogleGenAI;

beforeAll(async () => {
  simulator = await openSimulator({ models: { "gemini-2.5-flash-lite": { window: 2_000 } } });
  client = new GoogleGenAI({ apiKey: "key", httpOptions: { baseUrl: simulator.url } });
});
beforeEach(() => simulator.reset());
afterAll(() => simulator.close());

const model = "gemini-3.5-flash";
const tools = [{ functionDeclarations: [{ name: "read", parametersJsonSchema: { type: "object" } }] }];

describe("Google's SDK", () => {
  it("gets a reply", async () => {
    const reply = await client.models.generateContent({ model, contents: "hello" });
    expect(reply.text).toBe("You said: hello");
    expect(reply.usageMetadata?.promptTokenCount).toBeGreaterThan(0);
    expect(simulator.requests()).toMatchObject([{ api: "gemini", model, isStream: false }]);
  });

  it("streams thoughts, text and calls into the same reply as without streaming", async () => {
    const request = {
      model,
      contents:
        'simulate: call read {"path":"é/{step}.ts"}\nsimulate: call read\nsimulate: comment Looking at two files.',
      config: { tools, thinkingConfig: { includeThoughts: true } },
    };
    const whole = await client.models.generateContent(request);
    const parts: Part[] = [];
    let last: typeof whole | undefined;
    for await (const chunk of await client.models.generateContentStream(request)) {
      parts.push(...(chunk.candidates?.[0]?.content?.parts ?? []));
      last = chunk;
    }
    const textOf = (isThought: boolean, list = parts) =>
      list
        .flatMap(({ text, thought }) => (text !== undefined && (thought === true) === isThought ? [text] : []))
        .join("");
    const wholeParts = whole.candidates?.[0]?.content?.parts ?? [];
    expect(textOf(true)).toBe(textOf(true, wholeParts));
    expect(textOf(false)).toBe("Looking at two files.");
    expect(parts.filter(({ functionCall }) => functionCall)).toEqual(wholeParts.filter((part) => part.functionCall));
    expect([last?.candidates?.[0]?.finishReason, last?.usageMetadata]).toEqual(["STOP", whole.usageMetadata]);
  });

  it("runs a tool loop, with signatures if the model requires them", async () => {
    for (const each of [model, "gemini-2.5-flash"]) {
      const contents: Content[] = [
        {
          role: "user",
          parts: [{ text: 'simulate: call read {"path":"{step}.ts"}\nsimulate: times 3\nsimulate: say done' }],
        },
      ];
      let text: string | undefined;
      for (let step = 0; step < 4; step += 1) {
        const reply = await client.models.generateContent({ model: each, contents, config: { tools } });
        const content = reply.candidates?.[0]?.content ?? {};
        contents.push(content);
        const calls = reply.functionCalls ?? [];
        if (calls.length === 0) text = reply.text;
        else
          contents.push({
            role: "user",
            parts: calls.map(({ id, name }) => ({
              functionResponse: { ...(id !== undefined && { id }), name: name ?? "", response: { output: "text" } },
            })),
          });
      }
      expect([each, text, contents.length]).toEqual([each, "done", 8]);
    }
  });

  it("continues a chat", async () => {
    const chat = client.chats.create({ model });
    await chat.sendMessage({ message: "one" });
    expect((await chat.sendMessage({ message: "two" })).text).toBe("You said: two");
    let text = "";
    for await (const chunk of await chat.sendMessageStream({ message: "three" })) text += chunk.text ?? "";
    expect(text).toBe("You said: three");
    expect((await chat.sendMessage({ message: "four" })).text).toBe("You said: four");
  });

  it("counts tokens and lists models", async () => {
    const counted = await client.models.countTokens({ model, contents: "hello" });
    const answered = await client.models.generateContent({ model, contents: "hello" });
    expect(counted.totalTokens).toBe(answered.usageMetadata?.promptTokenCount);
    const names: (string | undefined)[] = [];
    for await (const { name } of await client.models.list({ config: { pageSize: 10 } })) names.push(name);
    expect(names).toContain(`models/${model}`);
    expect((await client.models.get({ model })).inputTokenLimit).toBe(1_048_576);
  });

  it("gets structured output and forced calls", async () => {
    const schema = { type: Type.OBJECT, properties: { ok: { type: Type.BOOLEAN } }, required: ["ok"] };
    const shaped = await client.models.generateContent({
      model,
      contents: "is it?",
      config: { responseMimeType: "application/json", responseSchema: schema },
    });
    expect(shaped.text).toBe('{"ok":true}');
    const forced = await client.models.generateContent({
      model,
      contents: "read",
      config: { tools, toolConfig: { functionCallingConfig: { mode: FunctionCallingConfigMode.ANY } } },
    });
    expect(forced.functionCalls?.[0]?.name).toBe("read");
  });

  it("recognizes the errors", async () => {
    const ask = (name: string, contents: string) => client.models.generateContent({ model: name, contents });
    await expect(ask("gemini-9", "hi")).rejects.toThrow(ApiError);
    await expect(ask("gemini-9", "hi")).rejects.toMatchObject({ status: 404 });
    await expect(ask("gemini-2.5-flash-lite", "word ".repeat(3_000))).rejects.toThrow(
      /The input token count \(\d+\) exceeds the maximum number of tokens allowed \(2000\)\./,
    );
    expect(simulator.requests().at(-1)?.rejected?.status).toBe(400);
  });
});

describe("access", () => {
  const body = { contents: [{ parts: [{ text: "hi" }] }] };
  const url = (method = "generateContent", rest = "") => `${simulator.url}/v1beta/models/${model}:${method}${rest}`;
  const headers = { "x-goog-api-key": "key" };

  it.each([
    ["no key", {}, 403, "PERMISSION_DENIED"],
    ["a token in its place", { authorization: "Bearer x" }, 401, "UNAUTHENTICATED"],
  ])("rejects a request with %s", async (_, given, code, status) => {
    expect(await post(url(), body, given)).toMatchObject({ status: code, body: { error: { code, status } } });
  });

  it("accepts the key in header or query, and only known keys if any are set", async () => {
    const strict = await openSimulator({ keys: ["right"] });
    const ask = (rest: string, given = {}) =>
      post(`${strict.url}/v1beta/models/${model}:generateContent${rest}`, body, given);
    expect((await ask("", { "x-goog-api-key": "right" })).status).toBe(200);
    expect((await ask("?key=right")).status).toBe(200);
    expect(await ask("?key=wrong")).toMatchObject({
      status: 400,
      body: {
        error: {
          message: "API key not valid. Please pass a valid API key.",
          status: "INVALID_ARGUMENT",
          details: [{ reason: "API_KEY_INVALID", domain: "googleapis.com" }],
        },
      },
    });
    expect((await fetch(`${strict.url}/v1beta/models`)).status).toBe(403);
    await strict.close();
  });

  it("streams an array without alt=sse, also for errors", async () => {
    const streamed = await post(url("streamGenerateContent"), body, headers);
    expect(streamed.body).toMatchObject([{ candidates: [{}] }, { candidates: [{ finishReason: "STOP" }] }]);
    expect(await post(url("streamGenerateContent"), {}, headers)).toMatchObject({
      status: 400,
      body: [{ error: { status: "INVALID_ARGUMENT" } }],
    });
    expect(await post(url("streamGenerateContent", "?alt=sse"), {}, headers)).toMatchObject({
      body: { error: { status: "INVALID_ARGUMENT" } },
    });
  });

  it("counts a nested request", async () => {
    const generateContentRequest = {
      model: `models/${model}`,
      ...body,
      systemInstruction: { parts: [{ text: "be" }] },
    };
    const plain = await post(url("countTokens"), body, headers);
    const whole = await post(url("countTokens"), { generateContentRequest }, headers);
    const answered = await post(url(), generateContentRequest, headers);
    expect(plain.body).toMatchObject({ totalTokens: 4 });
    expect(whole.body).toMatchObject({ totalTokens: 5 });
    expect(answered.body).toMatchObject({ usageMetadata: { promptTokenCount: 5 } });
  });

  it("rejects a body over 20 MB", async () => {
    const large = { contents: [{ parts: [{ text: "x".repeat(21 * 1024 * 1024) }] }] };
    expect(await post(url(), large, headers)).toMatchObject({
      status: 400,
      body: { error: { message: "Request payload size exceeds the limit: 20971520 bytes." } },
    });
  });

  it("returns injected faults as Google errors, also in the middle of a stream", async () => {
    expect(await post(url(), body, { ...headers, "x-simulate-fault": "status=429" })).toMatchObject({
      status: 429,
      body: { error: { status: "RESOURCE_EXHAUSTED", details: [{ retryDelay: "1s" }] } },
    });
    const stream = await fetch(url("streamGenerateContent", "?alt=sse"), {
      method: "POST",
      headers: { ...headers, "x-simulate-fault": "error-event=503" },
      body: JSON.stringify(body),
    });
    expect((await stream.text()).trim().split("\n\n").at(-1)).toContain('{"error":{"code":503');
  });
});

const world = makeWorld({});
const query = (id: string) => ({ version: "v1beta", id, method: "generateContent" });

it("finds models by exact id", () => {
  expect(requireModel(query("gemini-2.5-flash"), world).id).toBe("gemini-2.5-flash");
  for (const id of ["gemini-9", "claude-opus-4-6"])
    expect(() => requireModel(query(id), world)).toThrow(
      expect.objectContaining({
        status: 404,
        message: `models/${id} is not found for API version v1beta, or is not supported for generateContent. Call ListModels to see the list of available models and their supported methods.`,
      }),
    );
});

it("lists models by page", () => {
  const page = (query: string) => {
    const reply = listModels(makeCall({ query: new URLSearchParams(query) }), world);
    const body = reply.kind === "json" && isObject(reply.body) ? reply.body : {};
    return { names: objectsIn(body.models).map(({ name }) => name), next: body.nextPageToken };
  };
  const all = page("pageSize=1000");
  expect(all.names).toContain("models/gemini-3.5-flash");
  expect(all.next).toBeUndefined();
  const first = page("pageSize=3");
  expect([first.names, first.next]).toEqual([all.names.slice(0, 3), "3"]);
  expect(page(`pageSize=3&pageToken=${first.next}`).names).toEqual(all.names.slice(3, 6));
});

it("describes a model", () => {
  expect(retrieveModel(makeCall({ params: ["v1beta", "gemini-2.5-flash"] }), world)).toMatchObject({
    body: {
      name: "models/gemini-2.5-flash",
      version: "2.5",
      displayName: "Gemini 2.5 Flash",
      inputTokenLimit: 1_048_576,
      outputTokenLimit: 65_536,
      supportedGenerationMethods: ["generateContent", "countTokens"],
      thinking: true,
    },
  });
});

it("returns errors with code, message and status", () => {
  expect(geminiDialect.error(new Rejection(400, "m"), "r")).toEqual({
    kind: "json",
    status: 400,
    headers: {},
    body: { error: { code: 400, message: "m", status: "INVALID_ARGUMENT" } },
  });
});

it.each([
  [401, "UNAUTHENTICATED"],
  [403, "PERMISSION_DENIED"],
  [404, "NOT_FOUND"],
  [413, "INVALID_ARGUMENT"],
  [429, "RESOURCE_EXHAUSTED"],
  [500, "INTERNAL"],
  [503, "UNAVAILABLE"],
  [504, "DEADLINE_EXCEEDED"],
  [529, "UNAVAILABLE"],
])("maps status %d to %s", (code, status) => {
  expect(geminiDialect.error(new Rejection(code, "m"), "r").body).toMatchObject({ error: { code, status } });
});

it("includes a retry delay", () => {
  expect(geminiDialect.error(new Rejection(429, "m"), "r").body).toEqual({
    error: {
      code: 429,
      message: "Resource has been exhausted (e.g. check quota).",
      status: "RESOURCE_EXHAUSTED",
      details: [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "1s" }],
    },
  });
});

it("adds details and headers, and uses an array for an array stream", () => {
  const rejection = new Rejection(400, "m", { more: [{ a: 1 }], headers: { x: "y" }, isInList: true });
  const reply = geminiDialect.error(rejection, "r");
  expect(reply.headers).toEqual({ x: "y" });
  expect(reply.body).toEqual([{ error: { code: 400, message: "m", status: "INVALID_ARGUMENT", details: [{ a: 1 }] } }]);
});

it("ends a stream with the same object", () => {
  expect(geminiDialect.streamError(new Rejection(503, "m"))).toEqual([
    {
      data: '{"error":{"code":503,"message":"The model is overloaded. Please try again later.","status":"UNAVAILABLE"}}',
    },
  ]);
});
