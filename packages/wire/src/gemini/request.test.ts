import type { JsonObject, Reply, Request } from "@longhaul/conversation/advanced";
import {
  makeAssistant,
  makeConversation,
  makeImage,
  makeSystem,
  makeText,
  makeThinking,
  makeTool,
  makeToolCall,
  makeToolResult,
  makeUsage,
  makeUser,
  PIXEL_PNG,
} from "@longhaul/conversation/testing";
import { describe, expect, it } from "vitest";
import { anthropicMessages } from "../anthropic-messages/index.ts";
import { decodeSettings, encodeSettings, flatten, type Settings, unflatten } from "../fields/settings.ts";
import { eventsOf } from "../reply/collect.ts";
import { runStream } from "../testing/stream.ts";
import { encodeStream } from "./encode-stream.ts";
import { decodeRequest, encodeRequest, OPENED, SETTINGS } from "./request.ts";

const LINE = { model: "gemini-3.5-flash", stream: true };
const DESTINATION = { model: "gemini-3.5-flash", maxOutputTokens: 65_536 };

const BODY = {
  systemInstruction: { role: "system", parts: [{ text: "Be brief." }] },
  contents: [{ role: "user", parts: [{ text: "Hi" }] }],
  tools: [{ functionDeclarations: [{ name: "now" }] }],
  toolConfig: { functionCallingConfig: { mode: "ANY" } },
  generationConfig: { maxOutputTokens: 9, thinkingConfig: { thinkingLevel: "LOW", includeThoughts: true } },
  safetySettings: [],
};

const SNAKE = {
  system_instruction: BODY.systemInstruction,
  contents: BODY.contents,
  tools: [{ function_declarations: [{ name: "now" }] }],
  tool_config: { function_calling_config: { mode: "ANY" } },
  generation_config: { max_output_tokens: 9, thinking_config: { thinking_level: "LOW", include_thoughts: true } },
  safety_settings: [],
};

describe("decodeRequest", () => {
  const request: Request = {
    model: "gemini-3.5-flash",
    stream: true,
    maxOutputTokens: 9,
    sampling: {},
    toolChoice: { kind: "required" },
    reasoning: { mode: "effort", effort: "low", exclude: false },
    conversation: {
      system: [{ type: "text", text: "Be brief.", native: { wire: "gemini", value: { text: "Be brief." } } }],
      tools: [{ name: "now", kind: "function", native: { wire: "gemini", value: { name: "now" } } }],
      messages: [
        {
          role: "user",
          blocks: [{ type: "text", text: "Hi", native: { wire: "gemini", value: { text: "Hi" } } }],
          native: { wire: "gemini", value: { role: "user", parts: [{ text: "Hi" }] } },
        },
      ],
    },
    native: { wire: "gemini", value: BODY },
    extra: { safetySettings: [] },
  };

  it("decodes the body, and the model and streaming from the URL", () => {
    expect(decodeRequest(BODY, LINE)).toEqual(request);
  });

  it("accepts camel case and snake case", () => {
    const { native: _, ...read } = decodeRequest(SNAKE, LINE);
    const { native: _native, ...expected } = request;
    expect(read).toEqual(expected);
  });

  it("uses the body if the URL is unknown", () => {
    expect(decodeRequest({ ...BODY, model: "models/gemini-x" })).toMatchObject({ model: "gemini-x", stream: false });
    expect(decodeRequest(BODY)).toMatchObject({ model: "", stream: false });
  });

  it("decodes a system prompt in any form", () => {
    const system = (systemInstruction: string | object | null) =>
      decodeRequest({ ...BODY, systemInstruction }).conversation.system.map(
        (block) => block.type === "text" && block.text,
      );
    expect(system("Be brief.")).toEqual(["Be brief."]);
    expect(system({ parts: [{ text: "A" }, { text: "B" }] })).toEqual(["A", "B"]);
    expect(system(null)).toEqual([]);
    expect(() => system([])).toThrow("systemInstruction: expected an object, got an array");
  });

  it("does not rename fields in the client's own data", () => {
    const read = decodeRequest({
      ...BODY,
      labels: { my_team: "a" },
      contents: [{ parts: [{ functionCall: { name: "f", args: { max_lines: 1 } } }] }],
    });
    expect(read.extra).toMatchObject({ labels: { my_team: "a" } });
    expect(read.conversation.messages[0]?.blocks).toMatchObject([{ input: { max_lines: 1 } }]);
  });
});

describe("encodeRequest", () => {
  it("writes a request back unchanged, in camel case", () => {
    expect(encodeRequest(decodeRequest(BODY, LINE), DESTINATION).body).toEqual(BODY);
    expect(encodeRequest(decodeRequest(SNAKE, LINE), DESTINATION).body).toEqual({ ...BODY, tools: SNAKE.tools });
  });

  it("keeps the model in the body only if it is the destination's", () => {
    const named = { ...BODY, model: "models/gemini-3.5-flash" };
    expect(encodeRequest(decodeRequest(named, LINE), DESTINATION).body).toEqual(named);
    expect(encodeRequest(decodeRequest(named, LINE), { ...DESTINATION, model: "gemini-4-pro" }).body).toEqual(BODY);
  });

  it("keeps the unchanged contents of an edited request", () => {
    const contents = [
      { parts: [{ inline_data: { mime_type: "image/png", data: PIXEL_PNG } }] },
      { role: "model", parts: [{ text: "Seen." }] },
    ];
    const read = decodeRequest({ contents }, LINE);
    const edited = { ...read.conversation, messages: [...read.conversation.messages, makeUser("And now?")] };
    const { body } = encodeRequest({ ...read, conversation: edited }, DESTINATION);
    expect(body).toEqual({ contents: [...contents, { role: "user", parts: [{ text: "And now?" }] }] });
  });

  it("encodes another format's request: system prompt, tools, choice, calls in one content and results in one", () => {
    const request: Request = {
      model: "claude-sonnet-5",
      stream: true,
      maxOutputTokens: 99_999,
      sampling: { temperature: 3, stopSequences: ["1", "2", "3", "4", "5", "6"] },
      toolChoice: { kind: "tool", name: "read_file" },
      parallelToolCalls: false,
      reasoning: { mode: "effort", effort: "max" },
      user: "ada",
      conversation: makeConversation(
        [
          makeUser(["Look.", makeImage({ detail: "high" })]),
          makeSystem("Be quick."),
          makeAssistant([makeText("I read."), makeToolCall("toolu_1"), makeToolCall("toolu_2")]),
          makeUser(makeToolResult("toolu_2", "two")),
          makeUser([makeToolResult("toolu_1", "one", { isError: true }), makeText("Go on.")]),
        ],
        { system: [makeText("You are careful."), makeText("And brief.")], tools: [makeTool()] },
      ),
    };
    const { body, warnings } = encodeRequest(request, DESTINATION);
    expect(body).toEqual({
      systemInstruction: { parts: [{ text: "You are careful." }, { text: "And brief." }] },
      tools: [
        {
          functionDeclarations: [
            {
              name: "read_file",
              description: "Does what read_file says.",
              parametersJsonSchema: { type: "object", properties: { path: { type: "string" } } },
            },
          ],
        },
      ],
      toolConfig: { functionCallingConfig: { mode: "ANY", allowedFunctionNames: ["read_file"] } },
      generationConfig: {
        maxOutputTokens: 65_536,
        temperature: 2,
        stopSequences: ["1", "2", "3", "4", "5"],
        thinkingConfig: { thinkingLevel: "HIGH", includeThoughts: true },
      },
      contents: [
        {
          role: "user",
          parts: [
            { text: "Look." },
            { inlineData: { mimeType: "image/png", data: PIXEL_PNG } },
            { text: "<system-reminder>\nBe quick.\n</system-reminder>" },
          ],
        },
        {
          role: "model",
          parts: [
            { text: "I read." },
            { functionCall: { id: "toolu_1", name: "read_file", args: { path: "src/main.ts" } } },
            { functionCall: { id: "toolu_2", name: "read_file", args: { path: "src/main.ts" } } },
          ],
        },
        {
          role: "user",
          parts: [
            { functionResponse: { id: "toolu_2", name: "read_file", response: { output: "two" } } },
            { functionResponse: { id: "toolu_1", name: "read_file", response: { error: "one" } } },
            { text: "Go on." },
          ],
        },
      ],
    });
    expect(warnings.map(({ feature, action }) => `${feature} ${action}`).sort()).toEqual([
      "image.detail dropped",
      "maxOutputTokens changed",
      "message.system changed",
      "parallelToolCalls dropped",
      "reasoning changed",
      "sampling.stopSequences changed",
      "sampling.temperature changed",
      "user dropped",
    ]);
  });
});

describe("another vendor's thinking", () => {
  it("survives a client that keeps the events of a stream separate", () => {
    const blocks = [makeThinking("Hm."), makeText("I look."), makeToolCall("toolu_1")];
    const reply: Reply = { id: "r", model: "m", blocks, stopReason: "tool-calls", usage: makeUsage() };
    const kept = runStream(encodeStream, eventsOf(reply)).map(({ data }) => JSON.parse(data).candidates[0].content);
    const answer = { functionResponse: { id: "toolu_1", name: "read_file", response: { output: "ok" } } };
    const contents = [{ role: "user", parts: [{ text: "Go." }] }, ...kept, { role: "user", parts: [answer] }];
    const { body } = anthropicMessages.encodeRequest(decodeRequest({ contents }), { model: "claude-sonnet-5" });
    expect(body.messages).toMatchObject([
      { role: "user" },
      {
        role: "assistant",
        content: [
          { type: "thinking", thinking: "Hm.", signature: "c2lnbmF0dXJl" },
          { type: "text", text: "I look." },
          { type: "tool_use", id: "toolu_1" },
        ],
      },
      { role: "user", content: [{ type: "tool_result", tool_use_id: "toolu_1" }] },
    ]);
  });
});

function decode(body: JsonObject): object {
  return decodeSettings(SETTINGS, flatten(body, OPENED)).settings;
}

function encode(settings: Settings): JsonObject {
  return unflatten(encodeSettings(SETTINGS, { settings, destination: DESTINATION, native: undefined }), OPENED);
}

const SCHEMA = { type: "object", properties: { answer: { type: "string" } } };

describe("the settings of a request", () => {
  const rows: [string, JsonObject, Settings][] = [
    [
      "sampling",
      {
        generationConfig: {
          maxOutputTokens: 100,
          temperature: 0.5,
          topP: 0.9,
          topK: 40,
          frequencyPenalty: 0.1,
          presencePenalty: 0.2,
          seed: 7,
          stopSequences: ["END"],
        },
      },
      {
        maxOutputTokens: 100,
        temperature: 0.5,
        topP: 0.9,
        topK: 40,
        frequencyPenalty: 0.1,
        presencePenalty: 0.2,
        seed: 7,
        stopSequences: ["END"],
      },
    ],
    ["any tool or none", { toolConfig: { functionCallingConfig: { mode: "AUTO" } } }, { toolChoice: { kind: "auto" } }],
    ["no tool", { toolConfig: { functionCallingConfig: { mode: "NONE" } } }, { toolChoice: { kind: "none" } }],
    ["some tool", { toolConfig: { functionCallingConfig: { mode: "ANY" } } }, { toolChoice: { kind: "required" } }],
    [
      "one tool",
      { toolConfig: { functionCallingConfig: { mode: "ANY", allowedFunctionNames: ["f"] } } },
      { toolChoice: { kind: "tool", name: "f" } },
    ],
    ["thinking off", { generationConfig: { thinkingConfig: { thinkingBudget: 0 } } }, { reasoning: { mode: "off" } }],
    [
      "a budget",
      { generationConfig: { thinkingConfig: { thinkingBudget: 1_024, includeThoughts: true } } },
      { reasoning: { mode: "budget", budgetTokens: 1_024, exclude: false } },
    ],
    [
      "a level without thoughts",
      { generationConfig: { thinkingConfig: { thinkingLevel: "HIGH", includeThoughts: false } } },
      { reasoning: { mode: "effort", effort: "high", exclude: true } },
    ],
    [
      "adaptive thinking",
      { generationConfig: { thinkingConfig: { thinkingBudget: -1, includeThoughts: true } } },
      { reasoning: { mode: "adaptive", exclude: false } },
    ],
    ["JSON", { generationConfig: { responseMimeType: "application/json" } }, { outputFormat: { kind: "json" } }],
    [
      "JSON with a schema",
      { generationConfig: { responseMimeType: "application/json", responseJsonSchema: SCHEMA } },
      { outputFormat: { kind: "json-schema", schema: SCHEMA } },
    ],
  ];

  it.each(rows)("round-trips %s", (_, body, settings) => {
    expect(decode(body)).toEqual(settings);
    expect(encode(settings)).toEqual(body);
  });
});

describe("decoding settings", () => {
  it.each<[string, JsonObject, Settings]>([
    ["nothing", {}, {}],
    ["a model's name with its prefix", { model: "models/gemini-x" }, { model: "gemini-x" }],
    ["a bare model's name", { model: "gemini-x" }, { model: "gemini-x" }],
    ["an unspecified level", thinking({ thinkingLevel: "THINKING_LEVEL_UNSPECIFIED" }), {}],
    ["thoughts asked for", thinking({ includeThoughts: true }), { reasoning: { mode: "adaptive", exclude: false } }],
    ["thoughts not asked for", thinking({ includeThoughts: false }), {}],
    [
      "a budget without includeThoughts",
      thinking({ thinkingBudget: 9 }),
      { reasoning: { mode: "budget", budgetTokens: 9, exclude: true } },
    ],
    ["plain text", { generationConfig: { responseMimeType: "text/plain" } }, {}],
    [
      "a Gemini schema",
      { generationConfig: { responseMimeType: "application/json", responseSchema: { type: "STRING" } } },
      { outputFormat: { kind: "json-schema", schema: { type: "string" } } },
    ],
    ["one answer", { generationConfig: { candidateCount: 1 } }, {}],
    ["a configuration without a mode", { toolConfig: { functionCallingConfig: { allowedFunctionNames: [] } } }, {}],
  ])("%s", (_, body, settings) => {
    expect(decodeSettings(SETTINGS, flatten(body, OPENED))).toEqual({ settings, extra: {} });
  });

  it.each<[string, JsonObject]>([
    ["several answers", { "generationConfig.candidateCount": 2 }],
    ["one of several tools", { "toolConfig.functionCallingConfig": { mode: "ANY", allowedFunctionNames: ["a", "b"] } }],
    ["checked arguments", { "toolConfig.functionCallingConfig": { mode: "VALIDATED" } }],
    ["a budget in words", { "generationConfig.thinkingConfig": { thinkingBudget: "4k" } }],
    ["a budget below nothing", { "generationConfig.thinkingConfig": { thinkingBudget: -5 } }],
    ["a word for a configuration", { "generationConfig.thinkingConfig": "on" }],
    ["an unknown level", { "generationConfig.thinkingConfig": { thinkingLevel: "ENORMOUS" } }],
    ["one of several words", { "generationConfig.responseMimeType": "text/x.enum" }],
    ["a model that is not a string", { model: 7 }],
  ])("keeps %s as an extra field", (_, flat) => {
    expect(decodeSettings(SETTINGS, flat)).toEqual({ settings: {}, extra: flat });
  });
});

describe("encoding settings", () => {
  it.each<[string, Settings, JsonObject]>([
    ["no model and no streaming, which the address says", { model: "gemini-x", stream: true }, {}],
    ["effort none as off", { reasoning: { mode: "effort", effort: "none" } }, thinking({ thinkingBudget: 0 })],
    [
      "thoughts unless they are excluded",
      { reasoning: { mode: "effort", effort: "low" } },
      thinking({ thinkingLevel: "LOW", includeThoughts: true }),
    ],
    [
      "a level for adaptive reasoning with an effort",
      { reasoning: { mode: "adaptive", effort: "medium", exclude: true } },
      thinking({ thinkingLevel: "MEDIUM", includeThoughts: false }),
    ],
    ["effort without a level", { reasoning: { mode: "effort" } }, thinking({ includeThoughts: true })],
    [
      "a budget of unknown size",
      { reasoning: { mode: "budget" } },
      thinking({ thinkingBudget: -1, includeThoughts: true }),
    ],
  ])("%s", (_, settings, body) => {
    expect(encode(settings)).toEqual(body);
  });
});

function thinking(thinkingConfig: JsonObject): JsonObject {
  return { generationConfig: { thinkingConfig } };
}
