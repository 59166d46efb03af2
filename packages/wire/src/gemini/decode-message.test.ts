import type { JsonObject } from "@longhaul/conversation";
import { makeText, PIXEL_PNG } from "@longhaul/conversation/testing";
import { describe, expect, it } from "vitest";
import { wrapThinking } from "./calls.ts";
import { decodeMessage, decodePart, decodeParts } from "./decode-message.ts";

/** A block decoded from a part, with the part as its native value. */
function readFrom(value: JsonObject, block: object): object {
  return { ...block, native: { wire: "gemini", value } };
}

describe("decodeMessage", () => {
  it("decodes one content as one message with its original value and unknown fields", () => {
    const content = { role: "model", parts: [{ text: "Hello." }], custom: 1 };
    expect(decodeMessage(content)).toEqual({
      role: "assistant",
      blocks: [readFrom({ text: "Hello." }, makeText("Hello."))],
      native: { wire: "gemini", value: content },
      extra: { custom: 1 },
    });
  });

  it("assigns content without a role, and a tool's, to the user", () => {
    const roles = [undefined, null, "", "user", "function", "tool", "model"];
    expect(roles.map((role) => decodeMessage({ parts: [], ...(role !== undefined && { role }) }).role)).toEqual([
      "user",
      "user",
      "user",
      "user",
      "user",
      "user",
      "assistant",
    ]);
  });

  it("decodes a content without parts", () => {
    expect(decodeMessage({ role: "model" }).blocks).toEqual([]);
  });

  it.each<[JsonObject, string]>([
    [{ role: "system", parts: [] }, 'content.role: expected "user", "model" or "function", got "system"'],
    [{ parts: 7 }, "content.parts: expected an array, got a value of type number"],
    [{ parts: ["x"] }, 'content.parts[0]: expected an object, got "x"'],
    [{ parts: [{ functionCall: {} }] }, "content.parts[0].functionCall.name: expected a string, got nothing"],
    [
      { parts: [{ functionResponse: { name: "f", parts: 1 } }] },
      "content.parts[0].functionResponse.parts: expected an array, got a value of type number",
    ],
  ])("rejects %j with the path and the expected type", (content, message) => {
    expect(() => decodeMessage(content)).toThrow(expect.objectContaining({ code: "request.malformed", message }));
  });

  it("has no native value if it contains another vendor's thinking", () => {
    const thinking = { type: "thinking", text: "Hm.", signature: "c2ln", vendor: "anthropic" } as const;
    const thoughtSignature = wrapThinking(thinking);
    const { native, blocks } = decodeMessage({
      role: "model",
      parts: [{ text: "Hm.", thought: true, thoughtSignature }],
    });
    expect(native).toBeUndefined();
    expect(blocks).toEqual([thinking]);
  });
});

describe("decodePart", () => {
  const call = { name: "read_file", args: { path: "a" } };
  const rows: [string, JsonObject, object][] = [
    ["text", { text: "Hi" }, { type: "text", text: "Hi" }],
    [
      "signed text",
      { text: "Hi", thoughtSignature: "s" },
      { type: "text", text: "Hi", extra: { thoughtSignature: "s" } },
    ],
    ["a signature alone", { text: "", thoughtSignature: "s" }, { type: "opaque", kind: "thought_signature" }],
    ["thoughts", { text: "Hm.", thought: true }, { type: "thinking", text: "Hm.", vendor: "google" }],
    [
      "signed thoughts",
      { text: "Hm.", thought: true, thought_signature: "s" },
      { type: "thinking", text: "Hm.", signature: "s", vendor: "google" },
    ],
    [
      "a call with an id",
      { functionCall: { id: "c1", ...call } },
      { type: "tool-call", id: "c1", name: "read_file", input: { path: "a" } },
    ],
    [
      "a call without an id, signed",
      { functionCall: call, thoughtSignature: "s" },
      { type: "tool-call", id: "gemini_call_read_file", name: "read_file", input: { path: "a" }, signature: "s" },
    ],
    [
      "a call without arguments, and unknown fields at both levels",
      { function_call: { name: "now", willContinue: false }, partMetadata: { a: 1 } },
      {
        type: "tool-call",
        id: "gemini_call_now",
        name: "now",
        input: {},
        extra: { partMetadata: { a: 1 }, functionCall: { willContinue: false } },
      },
    ],
    [
      "an image with its fields",
      {
        inline_data: { mime_type: "image/png", data: PIXEL_PNG, display_name: "p" },
        mediaResolution: { level: "LOW" },
      },
      {
        type: "image",
        source: { kind: "base64", mediaType: "image/png", data: PIXEL_PNG },
        extra: { mediaResolution: { level: "LOW" }, inlineData: { displayName: "p" } },
      },
    ],
    ["sound", { inlineData: { mimeType: "audio/wav", data: "AA==" } }, { type: "opaque", kind: "inline_data" }],
    [
      "an image in thoughts",
      { inlineData: { mimeType: "image/png", data: "AA==" }, thought: true },
      { type: "opaque", kind: "inline_data" },
    ],
    ["code", { executableCode: { language: "PYTHON", code: "1" } }, { type: "opaque", kind: "executable_code" }],
    [
      "the result of a server tool",
      { thought: false, toolResponse: { id: "t" } },
      { type: "opaque", kind: "tool_response" },
    ],
    ["nothing", {}, { type: "opaque", kind: "part" }],
  ];

  it.each(rows)("decodes %s", (_, part, block) => {
    expect(decodePart(part, "part")).toEqual(readFrom(part, block));
  });

  it("assigns signatures without a tag to the given vendor", () => {
    expect(decodePart({ text: "Hm.", thought: true, thoughtSignature: "s" }, "part", "acme")).toMatchObject({
      vendor: "acme",
    });
  });
});

describe("a function's response", () => {
  const png = { inlineData: { mimeType: "image/png", data: PIXEL_PNG } };
  const rows: [JsonObject, string | undefined, boolean][] = [
    [{ output: "done" }, "done", false],
    [{ result: "done" }, "done", false],
    [{ output: "" }, undefined, false],
    [{ output: { lines: 2 } }, '{"lines":2}', false],
    [{ error: "no such file" }, "no such file", true],
    [{ error: { code: 1 } }, '{"code":1}', true],
    [{ error: "" }, undefined, true],
    [{ stdout: "ok", error: "" }, '{"stdout":"ok","error":""}', false],
    [{ stdout: "", error: "bad" }, '{"stdout":"","error":"bad"}', true],
    [{ output: "x", error: null }, '{"output":"x","error":null}', false],
    [{ temperature: 21 }, '{"temperature":21}', false],
    [{}, undefined, false],
  ];

  it.each(rows)("%j is decoded as %s (failed: %s)", (response, text, isError) => {
    const part = { functionResponse: { id: "c1", name: "f", response } };
    const content = text === undefined ? [] : [makeText(text)];
    expect(decodePart(part, "part")).toEqual(
      readFrom(part, { type: "tool-result", callId: "c1", name: "f", content, isError }),
    );
  });

  it("has images after its text and keeps unknown parts", () => {
    const film = { inlineData: { mimeType: "video/mp4", data: "AA==" } };
    const part = {
      functionResponse: { name: "look", response: { output: "Here." }, parts: [png, film], scheduling: "SILENT" },
    };
    expect(decodePart(part, "part")).toEqual(
      readFrom(part, {
        type: "tool-result",
        callId: "gemini_call_look",
        name: "look",
        content: [
          makeText("Here."),
          readFrom(png, { type: "image", source: { kind: "base64", mediaType: "image/png", data: PIXEL_PNG } }),
          readFrom(film, { type: "opaque", kind: "inline_data" }),
        ],
        isError: false,
        extra: { functionResponse: { scheduling: "SILENT" } },
      }),
    );
  });

  it("may be empty or a bare string", () => {
    expect(decodePart({ functionResponse: { name: "f" } }, "part")).toMatchObject({ content: [], isError: false });
    expect(decodePart({ functionResponse: { name: "f", response: "ok" } }, "part")).toMatchObject({
      content: [makeText("ok")],
    });
  });
});

describe("decodeParts", () => {
  it("returns no blocks for missing parts", () => {
    expect([decodeParts(undefined, "parts"), decodeParts(null, "parts")]).toEqual([[], []]);
  });
});
