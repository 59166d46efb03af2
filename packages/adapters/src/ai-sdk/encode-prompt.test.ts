import type { LanguageModelV4Prompt } from "@ai-sdk/provider";
import { type Edit, openDraft } from "@longhaul/condense/advanced";
import { describe, expect, it } from "vitest";
import { cut, edited } from "../testing/edits.ts";
import { decodePrompt } from "./decode-prompt.ts";
import { encodePrompt } from "./encode-prompt.ts";

const PROMPT: LanguageModelV4Prompt = [
  { role: "system", content: "Be kind." },
  { role: "user", content: [{ type: "text", text: "First words." }], providerOptions: { a: { b: 1 } } },
  {
    role: "assistant",
    content: [
      { type: "reasoning", text: "Hm.", providerOptions: { openai: { itemId: "rs_1" } } },
      {
        type: "tool-call",
        toolCallId: "c1",
        toolName: "read",
        input: { path: "a.ts", content: "long" },
        providerOptions: { openai: { itemId: "fc_1", kept: true } },
      },
    ],
  },
  {
    role: "tool",
    content: [
      { type: "tool-result", toolCallId: "c1", toolName: "read", output: { type: "json", value: { text: "long" } } },
    ],
  },
  {
    role: "assistant",
    content: [{ type: "tool-call", toolCallId: "c2", toolName: "look", input: {} }],
  },
  {
    role: "tool",
    content: [
      {
        type: "tool-result",
        toolCallId: "c2",
        toolName: "look",
        output: {
          type: "content",
          value: [
            { type: "text", text: "long" },
            { type: "file", mediaType: "image/png", data: { type: "data", data: "AQID" } },
          ],
        },
      },
    ],
  },
  { role: "system", content: "Be brief." },
  { role: "user", content: [{ type: "text", text: "Go on." }] },
];

const editedBy = (...edits: Edit[]) => edited(decodePrompt(PROMPT), edits);

describe("encodePrompt", () => {
  it("returns the original messages if nothing was changed", () => {
    const encoded = encodePrompt(openDraft(decodePrompt(PROMPT)), PROMPT);
    expect(encoded.every((message, index) => message === PROMPT[index])).toBe(true);
    expect(encoded).toHaveLength(PROMPT.length);
  });

  it("writes the replacement of dropped messages and keeps the others unchanged", () => {
    const draft = editedBy({
      kind: "replace",
      from: 0,
      to: 5,
      with: [{ role: "user", parts: ["What was read."] }],
      reason: "summarize",
    });
    expect(encodePrompt(draft, PROMPT)).toEqual([
      PROMPT[0],
      { role: "user", content: [{ type: "text", text: "What was read." }] },
      PROMPT[6],
      PROMPT[7],
    ]);
  });

  it("removes the vendor's ids from a changed message, so that no reference restores the old one", () => {
    const draft = editedBy(
      { kind: "remove", at: { message: 1, block: 0, path: [] }, reason: "thinking" },
      { kind: "input", at: { message: 1, block: 1, path: [] }, input: { path: "a.ts" }, reason: "truncate" },
    );
    expect(encodePrompt(draft, PROMPT)[2]).toEqual({
      role: "assistant",
      content: [
        {
          type: "tool-call",
          toolCallId: "c1",
          toolName: "read",
          input: { path: "a.ts" },
          providerOptions: { openai: { kept: true } },
        },
      ],
    });
  });

  it("shortens results and keeps the images beside them", () => {
    const draft = editedBy(cut(2, 0, [0]), cut(4, 0, [0]));
    const encoded = encodePrompt(draft, PROMPT);
    expect(encoded[3]).toMatchObject({
      content: [{ toolCallId: "c1", output: { type: "text", value: '…"text":"long"}' } }],
    });
    expect(encoded[5]).toMatchObject({
      content: [
        {
          output: {
            type: "content",
            value: [
              { type: "text", text: "…ong" },
              { type: "file", mediaType: "image/png" },
            ],
          },
        },
      ],
    });
  });

  it("replaces an image with a text", () => {
    const gone: Edit = { kind: "remove", at: { message: 4, block: 0, path: [1] }, left: "(gone)", reason: "drop" };
    expect(encodePrompt(editedBy(gone), PROMPT)[5]).toMatchObject({
      content: [{ output: { type: "text", value: "long\n(gone)" } }],
    });
  });

  it("rewrites texts, also in instructions", () => {
    const encoded = encodePrompt(editedBy(cut(0, 0), cut(5, 0)), PROMPT);
    expect(encoded[1]).toEqual({
      role: "user",
      content: [{ type: "text", text: "…irst words." }],
      providerOptions: { a: { b: 1 } },
    });
    expect(encoded[6]).toEqual({ role: "system", content: "…e brief." });
  });
});
