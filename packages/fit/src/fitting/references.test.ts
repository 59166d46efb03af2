import { expandConversation } from "@longhaul/condense/advanced";
import { describe, expect, it } from "vitest";
import { changedRequest, fittedBody } from "../fitted/fitted-body.ts";
import { sha256 } from "../history/known-messages.ts";
import { makeReads, openFitBench } from "../testing/index.ts";

const QUESTION = [{ role: "user", content: "What does it say?" }];
const LOSSLESS = { window: 100_000, context: { strategy: "lossless" } };

describe("withReferences", () => {
  it("replaces a repeat with a reference and can restore it exactly", async () => {
    const bench = await openFitBench(LOSSLESS);
    await bench.fit(makeReads(1));
    const fitted = await bench.fit(makeReads(1, 1));
    expect(fitted.origin).toBe("new");
    expect(fitted.form.tokens).toBeLessThan(fitted.originalTokens);
    const { request } = fitted.fitRequest.call;
    const sent = changedRequest(request(), fitted).conversation;
    const projection = fitted.form.epoch?.projection;
    if (projection === undefined) throw new Error("nothing was projected");
    const { messages, lost } = expandConversation(sent, projection, sha256);
    expect(lost).toEqual([]);
    expect(JSON.stringify(messages[4]?.blocks)).toContain("line 20 of file 1");
    expect(JSON.stringify(sent.messages[4]?.blocks)).not.toContain("line 20 of file 1");
  });

  it("writes the same bytes as a projection of the whole request", async () => {
    const bench = await openFitBench(LOSSLESS);
    await bench.fit(makeReads(1));
    const fitted = await bench.fit(makeReads(1, 1));
    const bytes = fittedBody(fitted.fitRequest.call.body, fitted);
    const { codec, request } = fitted.fitRequest.call;
    const read = codec.decodeRequest(JSON.parse(Buffer.from(bytes ?? []).toString()), {});
    const projected = changedRequest(request(), fitted).conversation.messages;
    const texts = (messages: typeof projected) =>
      messages.map(({ role, blocks }) => [role, blocks.map((block) => ("text" in block ? block.text : block.type))]);
    expect(texts(read.conversation.messages)).toEqual(texts(projected));
  });

  it("keeps only the last two turns of a conversation", async () => {
    const bench = await openFitBench(LOSSLESS);
    for (let steps = 1; steps <= 6; steps++) await bench.fit(makeReads(...Array.from({ length: steps }, () => 1)));
    const fitRequest = await bench.fitRequest(makeReads(1, 1, 1, 1, 1, 1));
    expect(fitRequest.state.epochs.known(fitRequest)).toHaveLength(2);
  });

  it("gives the same result with and without the index of earlier turns", async () => {
    const [warm, cold] = await Promise.all([openFitBench(LOSSLESS), openFitBench(LOSSLESS)]);
    await warm.fit(makeReads(1));
    await warm.fit(makeReads(1, 2));
    await cold.fit(makeReads(1, 2));
    const fits = await Promise.all([warm.fit(makeReads(1, 2, 1)), cold.fit(makeReads(1, 2, 1))]);
    const [first, second] = fits.map(({ form }) => form.epoch?.projection);
    expect(first).toEqual(second);
  });

  it("does not use another session's index with the same first messages", async () => {
    const [warm, cold] = await Promise.all([openFitBench(LOSSLESS), openFitBench(LOSSLESS)]);
    for (const files of [[1], [1, 2], [1, 2, 1]]) await warm.fit(makeReads(...files));
    for (const bench of [warm, cold]) for (const files of [[3], [3, 2]]) await bench.fit(makeReads(...files));
    const fits = await Promise.all([warm.fit(makeReads(3, 2, 3)), cold.fit(makeReads(3, 2, 3))]);
    const [first, second] = fits.map(({ form }) => form.epoch?.projection);
    expect(first).toBeDefined();
    expect(first).toEqual(second);
  });

  it("does not use another branch's index", async () => {
    const [warm, cold] = await Promise.all([openFitBench(LOSSLESS), openFitBench(LOSSLESS)]);
    for (const files of [[1], [1, 2], [1, 2, 3], [1, 2, 3, 5]]) await warm.fit(makeReads(...files));
    const fits = await Promise.all([warm.fit(makeReads(1, 2, 4, 4)), cold.fit(makeReads(1, 2, 4, 4))]);
    const [first, second] = fits.map(({ form }) => form.epoch?.projection);
    expect(first).toBeDefined();
    expect(first).toEqual(second);
  });

  it("reads no message of a turn without tool results, and catches up later", async () => {
    const bench = await openFitBench(LOSSLESS);
    const read = makeReads(1);
    await bench.fit({ ...read, messages: [...read.messages, { role: "assistant", content: "Done." }, ...QUESTION] });
    expect(bench.state.indexes.size).toBe(0);
    await bench.fit(read);
    expect(bench.state.indexes.size).toBe(1);
    const { form } = await bench.fit(makeReads(1, 1));
    expect(form.epoch?.projection.messages).toBe(5);
  });

  it("returns the form unchanged if nothing repeats", async () => {
    const bench = await openFitBench(LOSSLESS);
    const fitted = await bench.fit(makeReads(1, 2, 3));
    expect(fitted.form.epoch).toBeUndefined();
  });
});
