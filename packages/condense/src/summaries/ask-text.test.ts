import {
  makeAssistant,
  makeCompaction,
  makeDocument,
  makeImage,
  makeOpaque,
  makeThinking,
  makeToolCall,
  makeToolResult,
  makeUser,
} from "@longhaul/conversation/testing";
import { describe, expect, it } from "vitest";
import { renderAsk } from "./ask-text.ts";

describe("renderAsk", () => {
  it("spells tools as text and leaves thinking out", () => {
    const messages = [
      makeUser(["Look", makeImage(), makeDocument("x", { title: "Spec" }), makeOpaque("search_result")]),
      makeAssistant([makeThinking("hidden"), makeToolCall("a", { input: { path: "x.ts" } })]),
      makeUser(makeToolResult("a", "not found", { isError: true })),
      makeAssistant(makeCompaction("so far")),
    ];
    expect(
      renderAsk({
        kind: "ask",
        messages,
        instructions: "Sum up.",
        previous: "before",
        maxTokens: 1,
        expectedTokens: 1,
      }),
    ).toBe(
      `Sum up.

The summary so far, to be brought up to date:
---
before
---

Conversation:
---
[user]
Look
[Referenced image in conversation]
[Document: Spec]
[search_result]

[assistant]
[Tool call: read_file]
{"path":"x.ts"}

[user]
[Tool result (error)]
not found

[assistant]
so far
---
`,
    );
  });

  it("puts the messages where the prompt wants them", () => {
    const ask = { kind: "ask", messages: [makeUser("$& hello")], maxTokens: 1, expectedTokens: 1 } as const;
    expect(renderAsk({ ...ask, instructions: "Before.\n{formatted_messages}After." })).toBe(
      "Before.\n---\n[user]\n$& hello\n---\nAfter.",
    );
  });
});
