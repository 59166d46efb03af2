import { describe, expect, it } from "vitest";
import { COUNTERS, makeTerms } from "../testing/previews.ts";
import { findExample } from "./examples/examples.ts";
import type { PreviewJob, Question, QuestionAnswer } from "./protocol.ts";
import { compareBodies, makeJobRunner } from "./run-job.ts";

const { text } = findExample("bug-hunt");
const job: PreviewJob = { kind: "preview", text, key: "k", asksModels: true, page: { from: 0, limit: 1 } };

/** Answers like a gateway, and counts the questions. */
function makeGateway() {
  const asked: Question["kind"][] = [];
  const ask = async (question: Question): Promise<QuestionAnswer> => {
    asked.push(question.kind);
    if (question.kind === "terms") return { kind: "terms", terms: makeTerms({ strategy: "native" }) };
    return { kind: "summary", answer: { kind: "text", text: "In short." } };
  };
  return { asked, ask };
}

describe("makeJobRunner", () => {
  it("computes a preview once for all its pages", async () => {
    const { asked, ask } = makeGateway();
    const doJob = makeJobRunner(COUNTERS);
    await doJob(job, ask);
    const further = await doJob({ ...job, page: { from: 0, limit: 1, row: 4 } }, ask);
    expect(further).toMatchObject({ kind: "preview", answer: { rows: [{ at: 4 }] } });
    expect(asked).toEqual(["terms", "summary"]);
    await doJob(job, ask);
    expect(asked).toEqual(["terms", "summary", "terms", "summary"]);
  });

  it("calls no model unless requested, and computes the preview again if it is not cached", async () => {
    const { asked, ask } = makeGateway();
    const offline = { ...job, asksModels: false, page: { from: 2, limit: 1 } };
    await makeJobRunner(COUNTERS)(offline, ask);
    expect(asked).toEqual(["terms"]);
  });

  it("rejects a further page of an evicted preview instead of paying again", async () => {
    const doJob = makeJobRunner(COUNTERS);
    const { asked, ask } = makeGateway();
    for (const key of ["a", "b", "c", "d", "e"]) await doJob({ ...job, key, asksModels: false }, ask);
    const page = { from: 1, limit: 1 };
    await expect(doJob({ ...job, key: "a", page }, ask)).rejects.toMatchObject({ code: "request.not-kept" });
    expect(asked).not.toContain("summary");
  });

  it("rejects an answer of the wrong kind", async () => {
    const wrong = async (): Promise<QuestionAnswer> => ({ kind: "summary", answer: { kind: "failed", why: "" } });
    await expect(makeJobRunner(COUNTERS)(job, wrong)).rejects.toMatchObject({ code: "internal.bug" });
    const always = async (): Promise<QuestionAnswer> => ({
      kind: "terms",
      terms: makeTerms({ strategy: "native" }),
    });
    await expect(makeJobRunner(COUNTERS)(job, always)).rejects.toMatchObject({ code: "internal.bug" });
  });
});

const page = { from: 0, limit: 10 };

it("compares bodies of different formats", async () => {
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
      { role: "tool", tool_call_id: "c1", content: "[9 lines of output left out]" },
      { role: "user", content: "And now?" },
    ],
  };
  const compared = await compareBodies(
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
    "result shortened",
    "text kept",
  ]);
});

it("reads bodies that do not name their model", async () => {
  const body = {
    text: JSON.stringify({ contents: [{ role: "user", parts: [{ text: "Hello" }] }] }),
    wire: "gemini",
  } as const;
  const compared = await compareBodies(
    { kind: "compare", before: body, after: body, tokenizer: "gemini", page },
    COUNTERS,
  );
  expect(compared.rows).toMatchObject([{ before: "Hello", fate: "kept" }]);
});

it("lists restored facts, without lines that the client wrote", async () => {
  const text = "Also from these messages:\n- The port is 4141.";
  const body = (...contents: readonly string[]) => ({
    text: JSON.stringify({ model: "m", messages: contents.map((content) => ({ role: "user", content })) }),
    wire: "openai-chat" as const,
  });
  const before = body(text, "First.", "Second.", "Third.");
  const after = body(text, "So far.\n\nAlso from these messages:\n- src/a.ts is done.", "Third.");
  const compared = await compareBodies({ kind: "compare", before, after, tokenizer: "o200k", page }, COUNTERS);
  expect(compared.putBack).toEqual(["src/a.ts is done."]);
});
