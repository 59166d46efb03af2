import { expect, it } from "vitest";
import { COUNTERS } from "../testing/previews.ts";
import { compareWork } from "./compare-work.ts";

const page = { from: 0, limit: 10 };

it("sets bodies of different formats beside each other", async () => {
  const call = { type: "tool_use", id: "c1", name: "read", input: { path: "a" } };
  const result = { type: "tool_result", tool_use_id: "c1", content: "A long text." };
  const before = {
    model: "m",
    max_tokens: 9,
    system: "Be brief.",
    messages: [
      { role: "user", content: "Read a." },
      { role: "assistant", content: [call] },
      { role: "user", content: [result, { type: "text", text: "And now?" }] },
    ],
  };
  const after = {
    model: "gpt-4o",
    messages: [
      { role: "system", content: "Be brief." },
      { role: "user", content: "Read a." },
      {
        role: "assistant",
        content: null,
        tool_calls: [{ id: "c1", type: "function", function: { name: "read", arguments: '{"path":"a"}' } }],
      },
      { role: "tool", tool_call_id: "c1", content: "⟨ Content suppressed ⟩" },
      { role: "user", content: "And now?" },
    ],
  };
  const compared = await compareWork(
    {
      kind: "compare",
      before: { text: JSON.stringify(before), wire: "anthropic-messages" },
      after: { text: JSON.stringify(after), wire: "openai-chat" },
      tokenizer: "o200k",
      page,
    },
    COUNTERS,
  );
  expect(compared).toMatchObject({ messagesBefore: 3, rowCount: 5 });
  expect(compared.rows.map(({ kind, fate }) => `${kind} ${fate}`)).toEqual([
    "text kept",
    "text kept",
    "call kept",
    "result suppressed",
    "text kept",
  ]);
});

it("reads bodies that do not name their model", async () => {
  const body = {
    text: JSON.stringify({ contents: [{ role: "user", parts: [{ text: "Hello" }] }] }),
    wire: "gemini",
  } as const;
  const compared = await compareWork(
    { kind: "compare", before: body, after: body, tokenizer: "gemini", page },
    COUNTERS,
  );
  expect(compared.rows).toMatchObject([{ before: "Hello", fate: "kept" }]);
});

it("tells what was put back under summaries, and takes nothing that a client wrote for it", async () => {
  const text = "Also from these messages:\n- The port is 4141.";
  const body = (...contents: readonly string[]) => ({
    text: JSON.stringify({ model: "m", messages: contents.map((content) => ({ role: "user", content })) }),
    wire: "openai-chat" as const,
  });
  const before = body(text, "First.", "Second.", "Third.");
  const after = body(text, "So far.\n\nAlso from these messages:\n- src/a.ts is done.", "Third.");
  const compared = await compareWork({ kind: "compare", before, after, tokenizer: "o200k", page }, COUNTERS);
  expect(compared.putBack).toEqual(["src/a.ts is done."]);
});
