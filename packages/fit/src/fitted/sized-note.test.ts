import { describe, expect, it } from "vitest";
import { rawForm } from "../fitting/fit-request.ts";
import { makeChat, openFitBench } from "../testing/index.ts";
import { record } from "./learn-from-answer.ts";
import { anatomyOf, sizedNote, sizeToSend } from "./sized-note.ts";

const usage = (inputTokens: number) => ({ inputTokens, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens: 1 });

describe("sizedNote", () => {
  it("has the original and the sent size", async () => {
    const { fit } = await openFitBench();
    const fitted = await fit(makeChat(60));
    const note = sizedNote(fitted);
    expect(note).toMatchObject({ windowTokens: 4_000, originalTokens: fitted.originalTokens, isWarm: false });
    expect(note.sentTokens).toBeLessThan(note.originalTokens);
    expect(note.session).toBe(fitted.fitRequest.session);
    expect(note.anatomy().text).toBeGreaterThan(0);
  });

  it("has the tokens that would have been new when a conversation outgrows its window", async () => {
    const { fit } = await openFitBench();
    const long = makeChat(32);
    const before = await fit({ ...long, messages: long.messages.slice(0, 31) });
    expect(before.origin).toBe("raw");
    record(before, usage(before.form.tokens));
    const { fitRequest, ...after } = await fit(long);
    expect(after.origin).toBe("new");
    const newTokens = fitRequest.history.messageTokens.slice(31).reduce((sum, each) => sum + each, 0);
    expect(sizedNote({ fitRequest, ...after })).toMatchObject({ newTokens, isWarm: true });
  });
});

const sum = (anatomy: Readonly<Record<string, number>>) => Object.values(anatomy).reduce((all, each) => all + each, 0);

const TALK = {
  model: "claude-sonnet-4-5",
  max_tokens: 100,
  system: "You help with files.",
  tools: [{ name: "read", description: "Reads a file.", input_schema: { type: "object" } }],
  messages: [
    { role: "user", content: "What does the file say?" },
    { role: "assistant", content: [{ type: "tool_use", id: "t1", name: "read", input: { path: "notes.txt" } }] },
    { role: "user", content: [{ type: "tool_result", tool_use_id: "t1", content: "It says: buy bread. ".repeat(20) }] },
  ],
};

describe("anatomyOf", () => {
  it("splits a prompt into all of its parts", async () => {
    const { fitRequest } = await (await openFitBench()).fit(TALK);
    const form = rawForm(fitRequest);
    const anatomy = anatomyOf(fitRequest, form);
    expect(Object.keys(anatomy).sort()).toEqual(["calls", "results", "system", "text", "tools"]);
    expect(anatomy.results).toBe(fitRequest.history.messageTokens[2]);
    expect(anatomy.tools).toBe(fitRequest.history.toolTokens);
    expect(sum(anatomy)).toBe(form.tokens);
  });

  it("counts the sent parts of a condensed conversation", async () => {
    const { fitRequest, form, originalTokens } = await (await openFitBench()).fit(makeChat(60));
    expect(form.epoch).toBeDefined();
    const anatomy = anatomyOf(fitRequest, form);
    expect(Math.abs(sum(anatomy) - form.tokens)).toBeLessThanOrEqual(3);
    expect(sum(anatomy)).toBeLessThan(originalTokens);
  });

  it("is corrected by the reported usage", async () => {
    const { fitRequest } = await (await openFitBench()).fit(TALK);
    const form = { ...rawForm(fitRequest), tokens: rawForm(fitRequest).estimated * 2 };
    expect(anatomyOf(fitRequest, form).results).toBe((fitRequest.history.messageTokens[2] ?? 0) * 2);
  });
});

it("is undefined for a request that is sent unchanged", async () => {
  const { fitRequest } = await openFitBench();
  expect(await sizeToSend(await fitRequest(makeChat(3)))).toBeUndefined();
});

it("is the target of a pending condensation, without condensing or storing anything", async () => {
  const { fitRequest, state } = await openFitBench();
  const long = await fitRequest(makeChat(60));
  const { limits, scope, history } = long;
  expect(rawForm(long).tokens).toBeGreaterThan(limits.budgetTokens);
  expect(await sizeToSend(long)).toBe(limits.targetTokens);
  expect(state.jobs.find(scope, history.prefixes())).toBeUndefined();
  expect(await state.epochs.find(long)).toEqual([]);
});

it("is the size of the known epoch", async () => {
  const { fitRequest, fit } = await openFitBench();
  const { form } = await fit(makeChat(60));
  expect(form.epoch).toBeDefined();
  expect(await sizeToSend(await fitRequest(makeChat(60)))).toBe(form.tokens);
});

it("is the target from the operator's threshold on", async () => {
  const { fitRequest } = await openFitBench({ context: { threshold: 30 } });
  const over = await fitRequest(makeChat(18));
  expect(rawForm(over).tokens).toBeLessThan(over.limits.budgetTokens);
  expect(await sizeToSend(over)).toBe(over.limits.targetTokens);
});

it("is undefined for a request that no strategy condenses", async () => {
  const { fitRequest } = await openFitBench({ context: { strategy: "full-history" } });
  expect(await sizeToSend(await fitRequest(makeChat(60)))).toBeUndefined();
});
