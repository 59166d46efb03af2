import fc from "fast-check";
import { expect, it } from "vitest";
import { decodeFile, decodeOutput, decodeReasoning, opaque, toBase64 } from "./decode-parts.ts";

it.each([
  [{ type: "text", value: "a" }, ["a"], false],
  [{ type: "error-text", value: "a" }, ["a"], true],
  [{ type: "json", value: { a: 1 } }, ['{"a":1}'], false],
  [{ type: "error-json", value: { a: 1 } }, ['{"a":1}'], true],
  [{ type: "execution-denied", reason: "No." }, ["No."], true],
  [{ type: "execution-denied" }, [""], true],
] as const)("reads %j as text", (output, texts, isError) => {
  expect(decodeOutput(output)).toEqual({ content: texts.map((text) => ({ type: "text", text })), isError });
});

it("reads content entry by entry", () => {
  const { content } = decodeOutput({
    type: "content",
    value: [
      { type: "text", text: "a" },
      { type: "file", mediaType: "image/png", data: { type: "data", data: "AQID" } },
      { type: "custom" },
    ],
  });
  expect(content.map(({ type }) => type)).toEqual(["text", "image", "opaque"]);
});

it.each([
  [{}, { type: "thinking", text: "Hm." }],
  [{ anthropic: { signature: "s" } }, { type: "thinking", text: "Hm.", signature: "s" }],
  [{ openai: { itemId: "rs_1", reasoningEncryptedContent: "e" } }, { type: "thinking", text: "Hm.", signature: "e" }],
  [{ openai: { itemId: "rs_1" } }, { type: "thinking", text: "Hm." }],
  [{ anthropic: { redactedData: "r" } }, { type: "redacted-thinking", data: "r" }],
])("reads reasoning with the options %j", (providerOptions, block) => {
  expect(decodeReasoning({ type: "reasoning", text: "Hm.", providerOptions })).toEqual(block);
});

const bytes = Uint8Array.from([1, 2, 3]);

it.each([
  [
    "a picture",
    { mediaType: "image/png", data: { type: "data", data: bytes } },
    { type: "image", source: { kind: "base64", mediaType: "image/png", data: "AQID" } },
  ],
  [
    "a picture elsewhere",
    { mediaType: "image/*", data: { type: "url", url: new URL("https://example.com/a.png") } },
    { type: "image", source: { kind: "url", url: "https://example.com/a.png", mediaType: "image/*" } },
  ],
  [
    "a document",
    { mediaType: "application/pdf", filename: "a.pdf", data: { type: "data", data: "AQID" } },
    { type: "document", source: { kind: "base64", mediaType: "application/pdf", data: "AQID" }, title: "a.pdf" },
  ],
  [
    "a document of the vendor's",
    { mediaType: "application/pdf", data: { type: "reference", reference: { openai: "file-1" } } },
    { type: "document", source: { kind: "file", id: '{"openai":"file-1"}', mediaType: "application/pdf" } },
  ],
  [
    "a text",
    { mediaType: "text/plain", data: { type: "text", text: "Words." } },
    { type: "document", source: { kind: "text", text: "Words." } },
  ],
] as const)("reads %s", (_, file, block) => {
  expect(decodeFile({ type: "file", ...file })).toEqual(block);
});

it("keeps a sound whole", () => {
  const sound = decodeFile({ type: "file", mediaType: "audio/wav", data: { type: "data", data: "AQID" } });
  expect(sound).toMatchObject({ type: "opaque", kind: "file", native: { value: { data: "AQID" } } });
});

it("holds a part without what only a provider reads", () => {
  expect(opaque({ type: "tool-approval-response", providerOptions: { a: {} } })).toEqual({
    type: "opaque",
    kind: "tool_approval_response",
    native: { wire: "ai-sdk", value: { type: "tool-approval-response" } },
  });
});

it("spells bytes as everybody does", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 20_000 }), (bytes) => {
      expect(toBase64(bytes)).toBe(Buffer.from(bytes).toString("base64"));
    }),
    { numRuns: 20 },
  );
});
