import type { Block, JsonObject } from "@longhaul/conversation";
import {
  makeAssistant,
  makeCompaction,
  makeDocument,
  makeImage,
  makeOpaque,
  makeRedactedThinking,
  makeText,
  makeThinking,
  makeToolCall,
  makeToolResult,
  makeUser,
  PIXEL_PNG,
} from "@longhaul/conversation/testing";
import { describe, expect, it } from "vitest";
import { decodeMessage, decodePart } from "./decode-message.ts";
import { encodeMessage, encodePart } from "./encode-message.ts";

const GOOGLE = { vendor: "google", extras: true };

describe("encodeMessage", () => {
  it("encodes one message as one content", () => {
    expect(encodeMessage(makeUser("Hi"), GOOGLE)).toEqual({ role: "user", parts: [{ text: "Hi" }] });
    expect(encodeMessage(makeAssistant("Hi"), GOOGLE)).toEqual({ role: "model", parts: [{ text: "Hi" }] });
  });

  it("writes an unchanged message as received", () => {
    const content = { parts: [{ inline_data: { mime_type: "image/png", data: PIXEL_PNG } }], custom: 1 };
    expect(encodeMessage(decodeMessage(content), GOOGLE)).toBe(content);
  });

  it("writes unknown fields only to the format that they came from", () => {
    const message = { ...makeUser("Hi"), extra: { custom: 1 } };
    expect(encodeMessage(message, GOOGLE)).toMatchObject({ custom: 1 });
    expect(encodeMessage(message, { ...GOOGLE, extras: false })).toEqual({ role: "user", parts: [{ text: "Hi" }] });
  });
});

describe("encodePart", () => {
  const call = makeToolCall("call_1");
  const rows: [string, Block, JsonObject][] = [
    ["text", makeText("Hi"), { text: "Hi" }],
    ["pictures", makeImage(), { inlineData: { mimeType: "image/png", data: PIXEL_PNG } }],
    ["documents", makeDocument("One."), { text: "One." }],
    ["calls", call, { functionCall: { id: "call_1", name: "read_file", args: { path: "src/main.ts" } } }],
    [
      "calls with a made-up id",
      { ...call, id: "gemini_call_read_file", signature: "s" },
      { functionCall: { name: "read_file", args: { path: "src/main.ts" } }, thoughtSignature: "s" },
    ],
    [
      "free text as an argument",
      { ...call, input: "*** Begin Patch" },
      { functionCall: { id: "call_1", name: "read_file", args: { input: "*** Begin Patch" } } },
    ],
    [
      "results",
      makeToolResult("call_1", "ok", { name: "read_file" }),
      { functionResponse: { id: "call_1", name: "read_file", response: { output: "ok" } } },
    ],
    [
      "failures",
      makeToolResult("gemini_call_f", "no", { name: "f", isError: true }),
      { functionResponse: { name: "f", response: { error: "no" } } },
    ],
    [
      "results with an image",
      makeToolResult("c", [makeText("One"), makeImage(), makeDocument("Two")], { name: "f" }),
      {
        functionResponse: {
          id: "c",
          name: "f",
          response: { output: "One\nTwo" },
          parts: [{ inlineData: { mimeType: "image/png", data: PIXEL_PNG } }],
        },
      },
    ],
    [
      "empty results",
      makeToolResult("c", [], { name: "f" }),
      { functionResponse: { id: "c", name: "f", response: { output: "" } } },
    ],
    [
      "Google's thinking",
      { type: "thinking", text: "Hm.", signature: "s", vendor: "google" },
      { text: "Hm.", thought: true, thoughtSignature: "s" },
    ],
    ["unsigned thinking", { type: "thinking", text: "Hm." }, { text: "Hm.", thought: true }],
  ];

  it.each(rows)("encodes %s", (_, block, part) => {
    expect(encodePart(block, GOOGLE)).toEqual(part);
  });

  it.each([makeThinking(), makeRedactedThinking()])("round-trips %j through a client", (block) => {
    const part = encodePart(block, GOOGLE);
    expect(part).toMatchObject({ thought: true });
    expect(decodePart(JSON.parse(JSON.stringify(part)), "part")).toEqual(block);
  });

  it("sends no Google signature to another vendor", () => {
    const signed = makeToolCall("c", { signature: "s" });
    expect(encodePart(signed, { vendor: "acme", extras: false })).toEqual(encodePart(makeToolCall("c"), GOOGLE));
  });

  it("writes unknown fields back at their original level", () => {
    const part = { functionCall: { id: "c", name: "f", args: {}, willContinue: false }, partMetadata: { a: 1 } };
    const call = decodePart(part, "part");
    if (call.type !== "tool-call") throw new Error("a call was expected");
    const { native: _, ...changed } = call;
    expect(encodePart(changed, GOOGLE)).toEqual(part);
  });

  it("keeps the files of a result if only its text changes", () => {
    const shown = { inline_data: { mime_type: "text/plain", data: "SGk=" } };
    const part = { functionResponse: { id: "c", name: "f", response: { output: "long" }, parts: [shown] } };
    const result = decodePart(part, "part");
    if (result.type !== "tool-result") throw new Error("a result was expected");
    const { native: _, ...changed } = result;
    const content = [makeText("short"), ...result.content.slice(1)];
    expect(encodePart({ ...changed, content }, GOOGLE)).toEqual({
      functionResponse: { id: "c", name: "f", response: { output: "short" }, parts: [shown] },
    });
  });

  it("writes text for blocks that should have been adapted before", () => {
    expect(encodePart(makeCompaction("So far."), GOOGLE)).toEqual({ text: "So far." });
    expect(encodePart(makeCompaction(null), GOOGLE)).toEqual({ text: "" });
    expect(encodePart(makeOpaque(), GOOGLE)).toEqual({ text: "" });
  });
});
