import type { LanguageModelV4Message, LanguageModelV4Prompt } from "@ai-sdk/provider";
import { fingerprint, pureHash } from "@longhaul/conversation/advanced";
import fc from "fast-check";
import { expect, it } from "vitest";
import {
  decodeFile,
  decodeOutput,
  decodePrompt,
  decodeReasoning,
  leadingInstructions,
  opaque,
  toBase64,
} from "./decode-prompt.ts";

const PROMPT: LanguageModelV4Prompt = [
  { role: "system", content: "Be kind." },
  { role: "user", content: [{ type: "text", text: "Read a.ts." }] },
  {
    role: "assistant",
    content: [
      { type: "reasoning", text: "I should read it." },
      { type: "text", text: "Reading." },
      { type: "tool-call", toolCallId: "c1", toolName: "read", input: { path: "a.ts" } },
      { type: "tool-call", toolCallId: "s1", toolName: "search", input: {}, providerExecuted: true },
      { type: "tool-result", toolCallId: "s1", toolName: "search", output: { type: "json", value: [] } },
      { type: "custom", kind: "openai.compaction" },
    ],
  },
  {
    role: "tool",
    content: [
      { type: "tool-result", toolCallId: "c1", toolName: "read", output: { type: "error-text", value: "gone" } },
      { type: "tool-approval-response", approvalId: "a", approved: true },
    ],
  },
  { role: "system", content: "Be brief." },
];

it("decodes each part as one block, and leading instructions as the system prompt", () => {
  const { system, messages } = decodePrompt(PROMPT);
  expect(system).toEqual([{ type: "text", text: "Be kind." }]);
  expect(messages.map(({ role, blocks }) => [role, ...blocks.map(({ type }) => type)])).toEqual([
    ["user", "text"],
    ["assistant", "thinking", "text", "tool-call", "opaque", "opaque", "opaque"],
    ["user", "tool-result", "opaque"],
    ["system", "text"],
  ]);
  expect(messages[2]?.blocks[0]).toEqual({
    type: "tool-result",
    callId: "c1",
    name: "read",
    content: [{ type: "text", text: "gone" }],
    isError: true,
  });
});

it("decodes tools, provider tools by their name only", () => {
  const schema = { type: "object" as const, properties: {} };
  const { tools } = decodePrompt(PROMPT, [
    { type: "function", name: "read", description: "Reads.", inputSchema: schema },
    { type: "provider", id: "openai.web_search", name: "search", args: {} },
  ]);
  expect(tools).toEqual([
    { kind: "function", name: "read", description: "Reads.", inputSchema: schema },
    { kind: "server", name: "search" },
  ]);
});

it("gives a message the same fingerprint after its cache mark has moved", () => {
  const said: LanguageModelV4Message = { role: "user", content: [{ type: "text", text: "Hello" }] };
  const marked = { ...said, providerOptions: { anthropic: { cacheControl: { type: "ephemeral" } } } };
  const prints = [said, marked].map((message) =>
    decodePrompt([message]).messages.map((one) => fingerprint(one, pureHash)),
  );
  expect(prints[0]).toEqual(prints[1]);
});

it("decodes a prompt that has only instructions", () => {
  const prompt: LanguageModelV4Prompt = [{ role: "system", content: "Be kind." }];
  expect(leadingInstructions(prompt)).toBe(1);
  expect(decodePrompt(prompt).messages).toEqual([]);
});

it.each([
  [{ type: "text", value: "a" }, ["a"], false],
  [{ type: "error-text", value: "a" }, ["a"], true],
  [{ type: "json", value: { a: 1 } }, ['{"a":1}'], false],
  [{ type: "error-json", value: { a: 1 } }, ['{"a":1}'], true],
  [{ type: "execution-denied", reason: "No." }, ["No."], true],
  [{ type: "execution-denied" }, [""], true],
] as const)("decodes %j as text", (output, texts, isError) => {
  expect(decodeOutput(output)).toEqual({ content: texts.map((text) => ({ type: "text", text })), isError });
});

it("decodes content entry by entry", () => {
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
])("decodes reasoning with the options %j", (providerOptions, block) => {
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
] as const)("decodes %s", (_, file, block) => {
  expect(decodeFile({ type: "file", ...file })).toEqual(block);
});

it("keeps audio as an opaque block", () => {
  const sound = decodeFile({ type: "file", mediaType: "audio/wav", data: { type: "data", data: "AQID" } });
  expect(sound).toMatchObject({ type: "opaque", kind: "file", native: { value: { data: "AQID" } } });
});

it("drops provider options from an opaque part", () => {
  expect(opaque({ type: "tool-approval-response", providerOptions: { a: {} } })).toEqual({
    type: "opaque",
    kind: "tool_approval_response",
    native: { wire: "ai-sdk", value: { type: "tool-approval-response" } },
  });
});

it("encodes bytes as standard base64", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 20_000 }), (bytes) => {
      expect(toBase64(bytes)).toBe(Buffer.from(bytes).toString("base64"));
    }),
    { numRuns: 20 },
  );
});
