import type { LanguageModelV4Message, LanguageModelV4Prompt } from "@ai-sdk/provider";
import { fingerprint, pureHash } from "@longhaul/conversation";
import { expect, it } from "vitest";
import { decodePrompt, leadingInstructions } from "./decode-prompt.ts";

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

it("reads every part into one block, and leading instructions apart", () => {
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

it("reads tools, those of the provider by their name alone", () => {
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

it("knows a message again whose cache mark has moved on", () => {
  const said: LanguageModelV4Message = { role: "user", content: [{ type: "text", text: "Hello" }] };
  const marked = { ...said, providerOptions: { anthropic: { cacheControl: { type: "ephemeral" } } } };
  const prints = [said, marked].map((message) =>
    decodePrompt([message]).messages.map((one) => fingerprint(one, pureHash)),
  );
  expect(prints[0]).toEqual(prints[1]);
});

it("takes a prompt of instructions alone for nothing else", () => {
  const prompt: LanguageModelV4Prompt = [{ role: "system", content: "Be kind." }];
  expect(leadingInstructions(prompt)).toBe(1);
  expect(decodePrompt(prompt).messages).toEqual([]);
});
