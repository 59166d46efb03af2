import type { Reply, Request } from "@longhaul/conversation";
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
import { eventsOf } from "../reply/collect.ts";
import { runStream } from "../testing/stream.ts";
import { encodeStream } from "./encode-stream.ts";
import { decodeRequest, encodeRequest } from "./request.ts";

const LINE = { model: "gemini-3.5-flash", stream: true };
const TARGET = { model: "gemini-3.5-flash", maxOutputTokens: 65_536 };

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

  it("reads the body, and model and streaming from the address", () => {
    expect(decodeRequest(BODY, LINE)).toEqual(request);
  });

  it("reads either spelling of the fields", () => {
    const { native: _, ...read } = decodeRequest(SNAKE, LINE);
    const { native: _native, ...expected } = request;
    expect(read).toEqual(expected);
  });

  it("goes by the body where the address is not known", () => {
    expect(decodeRequest({ ...BODY, model: "models/gemini-x" })).toMatchObject({ model: "gemini-x", stream: false });
    expect(decodeRequest(BODY)).toMatchObject({ model: "", stream: false });
  });

  it("reads a system prompt of any shape", () => {
    const system = (systemInstruction: string | object | null) =>
      decodeRequest({ ...BODY, systemInstruction }).conversation.system.map(
        (block) => block.type === "text" && block.text,
      );
    expect(system("Be brief.")).toEqual(["Be brief."]);
    expect(system({ parts: [{ text: "A" }, { text: "B" }] })).toEqual(["A", "B"]);
    expect(system(null)).toEqual([]);
    expect(() => system([])).toThrow("systemInstruction: expected an object, got a list");
  });

  it("leaves the client's own data as it is spelled", () => {
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
  it("writes a request back as it came, in the fields' usual spelling", () => {
    expect(encodeRequest(decodeRequest(BODY, LINE), TARGET).body).toEqual(BODY);
    expect(encodeRequest(decodeRequest(SNAKE, LINE), TARGET).body).toEqual({ ...BODY, tools: SNAKE.tools });
  });

  it("keeps a model's name in the body only while it is the one that is asked", () => {
    const named = { ...BODY, model: "models/gemini-3.5-flash" };
    expect(encodeRequest(decodeRequest(named, LINE), TARGET).body).toEqual(named);
    expect(encodeRequest(decodeRequest(named, LINE), { ...TARGET, model: "gemini-4-pro" }).body).toEqual(BODY);
  });

  it("keeps the untouched contents of an edited request as they came", () => {
    const contents = [
      { parts: [{ inline_data: { mime_type: "image/png", data: PIXEL_PNG } }] },
      { role: "model", parts: [{ text: "Seen." }] },
    ];
    const read = decodeRequest({ contents }, LINE);
    const edited = { ...read.conversation, messages: [...read.conversation.messages, makeUser("And now?")] };
    const { body } = encodeRequest({ ...read, conversation: edited }, TARGET);
    expect(body).toEqual({ contents: [...contents, { role: "user", parts: [{ text: "And now?" }] }] });
  });

  it("writes another format's request: system prompt, tools, choice, calls in one content and results in one", () => {
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
    const { body, warnings } = encodeRequest(request, TARGET);
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
  it("comes back whole from a client that keeps the events of a stream apart", () => {
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
