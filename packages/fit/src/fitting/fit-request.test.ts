import { PROJECTION_VERSION, type Projection } from "@longhaul/condense/advanced";
import { textMessage } from "@longhaul/conversation";
import { makeAssistant, makeCompaction } from "@longhaul/conversation/testing";
import type { Epoch } from "@longhaul/store";
import { makeEpoch, makeProjection } from "@longhaul/store/testing";
import { describe, expect, it } from "vitest";
import { record } from "../fitted/learn-from-answer.ts";
import { epochName } from "../memory/epochs.ts";
import {
  BENCH_MODEL,
  type FitBenchOptions,
  makeBreakable,
  makeChat,
  makeStore,
  openFitBench,
} from "../testing/index.ts";
import { currentForm, epochForm, epochOf, type FitRequest, rawForm } from "./fit-request.ts";

const COMPACTING: FitBenchOptions = {
  model: "claude-opus-4-6",
  window: 200_000,
  config: { compaction: { onDemand: false, triggerTokens: 50_000 } },
};

function madeFor(messages: number, message = textMessage("user", "In short.")): Projection {
  return { version: PROJECTION_VERSION, messages, entries: [{ kind: "made", from: 0, to: messages, message }] };
}

/** An epoch for the first messages of a request's conversation. */
function epochFor({ scope, history }: FitRequest, messages: number, fields: Partial<Epoch> = {}): Epoch {
  const prefix = history.prefixes()[messages - 1] ?? "";
  const evidence = { head: "", through: messages, messages: [] };
  return makeEpoch({ scope, prefix, evidence, projection: madeFor(messages), madeAtMs: messages, ...fields });
}

describe("rawForm", () => {
  it("has the size of the conversation, corrected by the reported usage", async () => {
    const fitRequest = await (await openFitBench()).fitRequest(makeChat(3));
    expect(rawForm(fitRequest)).toEqual({ estimated: fitRequest.history.tokens, tokens: fitRequest.history.tokens });
    const { scope, history, ratio, state } = fitRequest;
    const anchor = { reported: 150, estimated: 100, ratio, atMs: 0 };
    state.anchors.keep(scope, history.prefixes().at(-3) ?? "", anchor);
    expect(rawForm(fitRequest)).toEqual({ estimated: history.tokens, tokens: history.tokens + 50 });
    state.anchors.keep(scope, history.prefixes().at(-1) ?? "", { ...anchor, reported: 1, estimated: 9_000 });
    expect(rawForm(fitRequest).tokens).toBe(1);
  });
});

describe("epochForm", () => {
  it("has the epoch's prefix and the remaining messages unchanged", async () => {
    const fitRequest = await (await openFitBench()).fitRequest(makeChat(10));
    const epoch = epochFor(fitRequest, 18);
    const form = await epochForm(fitRequest, epoch);
    expect(form?.epoch).toBe(epoch);
    expect(form?.rendering).toMatchObject({ messages: 18, parts: [{ kind: "written" }] });
    expect(form?.tokens).toBeLessThan(rawForm(fitRequest).tokens / 2);
  });

  it("removes an epoch that cannot be replayed", async () => {
    const fitRequest = await (await openFitBench()).fitRequest(makeChat(1));
    const epoch = epochFor(fitRequest, 3, { projection: madeFor(90) });
    await fitRequest.state.epochs.put(epoch);
    expect(await epochForm(fitRequest, epoch)).toBeUndefined();
    expect(await fitRequest.state.epochs.find(fitRequest)).toEqual([]);
  });

  it("keeps the epoch if the request or the worker thread failed", async () => {
    const bench = await openFitBench();
    const fitRequest = await bench.fitRequest(makeChat(3));
    const epoch = epochFor(fitRequest, 3);
    await fitRequest.state.epochs.put(epoch);
    const broken = {
      ...fitRequest,
      prompt: { ...fitRequest.prompt, body: new TextEncoder().encode('{"messages":[{"role":"nobody"}]}') },
    };
    await expect(epochForm(broken, epoch)).rejects.toMatchObject({ code: "request.malformed" });
    expect(fitRequest.state.epochs.known(fitRequest)).toEqual([epoch]);
  });
});

describe("currentForm", () => {
  it("is raw if that is small enough, whatever epochs exist", async () => {
    const fitRequest = await (await openFitBench()).fitRequest(makeChat(3));
    await fitRequest.state.epochs.put(epochFor(fitRequest, 3));
    expect((await currentForm(fitRequest)).epoch).toBeUndefined();
  });

  it("is raw if there is no epoch", async () => {
    const fitRequest = await (await openFitBench()).fitRequest(makeChat(60));
    expect(await currentForm(fitRequest)).toEqual(rawForm(fitRequest));
  });

  it("has the longest prefix that makes it small enough", async () => {
    const fitRequest = await (await openFitBench()).fitRequest(makeChat(60));
    for (const messages of [4, 60, 100]) await fitRequest.state.epochs.put(epochFor(fitRequest, messages));
    expect((await currentForm(fitRequest)).epoch).toEqual(epochFor(fitRequest, 100));
  });

  it("is the smallest if none is small enough", async () => {
    const fitRequest = await (await openFitBench({ window: 1_000 })).fitRequest(makeChat(60));
    await fitRequest.state.epochs.put(epochFor(fitRequest, 30));
    await fitRequest.state.epochs.put(
      epochFor(fitRequest, 40, { projection: madeFor(40, textMessage("user", "Long. ".repeat(2_000))) }),
    );
    expect((await currentForm(fitRequest)).epoch).toEqual(epochFor(fitRequest, 30));
  });

  it("uses a placeholder only if nothing else fits", async () => {
    const fitRequest = await (await openFitBench()).fitRequest(makeChat(60));
    const placeholder = epochFor(fitRequest, 110, { isPlaceholder: true });
    await fitRequest.state.epochs.put(placeholder);
    expect((await currentForm(fitRequest)).epoch).toEqual(placeholder);
    await fitRequest.state.epochs.put(epochFor(fitRequest, 100));
    expect((await currentForm(fitRequest)).epoch).toEqual(epochFor(fitRequest, 100));
  });

  it("does not query the store if the previous turn was sent from here", async () => {
    const store = await makeStore();
    const fitRequest = await (await openFitBench({ store })).fitRequest(makeChat(60));
    const [early, late] = [epochFor(fitRequest, 90), epochFor(fitRequest, 100)];
    await fitRequest.state.epochs.put(early);
    const sentUpTo = (messages: number) => {
      const anchor = { reported: 1, estimated: 1, ratio: fitRequest.ratio, atMs: 0 };
      fitRequest.state.anchors.keep(epochName(early), fitRequest.history.prefixes()[messages - 1] ?? "", anchor);
    };
    sentUpTo(119);
    await store.epochs.put(late);
    expect((await currentForm(fitRequest)).epoch).toEqual(early);
    sentUpTo(121);
    expect((await currentForm(fitRequest)).epoch).toEqual(early);
  });

  it("does not query the store for a first turn, or after turns that were sent raw from here", async () => {
    const store = await makeStore();
    const epochs = makeBreakable(store.epochs);
    const bench = await openFitBench({ store: { ...store, epochs: epochs.part }, context: { references: "on" } });
    const chat = makeChat(4);
    const queriesFor = async (exchanges: number) => {
      const before = epochs.asked();
      const fitted = await bench.fit({ ...chat, messages: chat.messages.slice(0, exchanges * 2 + 1) });
      record(fitted, undefined);
      return epochs.asked() - before;
    };
    expect([await queriesFor(0), await queriesFor(1), await queriesFor(3), await queriesFor(4)]).toEqual([0, 0, 1, 0]);
  });

  it.each([
    ["one turn", 117],
    ["nothing", 0],
  ])("finds an epoch that another gateway stored, after missing %s", async (_, messages) => {
    const store = await makeStore();
    const fitRequest = await (await openFitBench({ store })).fitRequest(makeChat(60));
    const [early, late] = [epochFor(fitRequest, 90), epochFor(fitRequest, 100)];
    await fitRequest.state.epochs.put(early);
    const anchor = { reported: 1, estimated: 1, ratio: fitRequest.ratio, atMs: 0 };
    fitRequest.state.anchors.keep(epochName(early), fitRequest.history.prefixes()[messages - 1] ?? "", anchor);
    await store.epochs.put(late);
    expect((await currentForm(fitRequest)).epoch).toEqual(late);
  });

  it("finds an epoch in the store that is not known here", async () => {
    const bench = await openFitBench();
    const fitRequest = await bench.fitRequest(makeChat(60));
    await fitRequest.state.epochs.put(epochFor(fitRequest, 100));
    const forgetful = { ...fitRequest.state, epochs: { ...fitRequest.state.epochs, known: () => [] } };
    expect((await currentForm({ ...fitRequest, state: forgetful })).epoch).toEqual(epochFor(fitRequest, 100));
  });

  it("continues with the vendor's compaction when the vendor might compact again", async () => {
    const bench = await openFitBench(COMPACTING);
    const block = makeAssistant(makeCompaction());
    const formAt = async (exchanges: number) => {
      const fitRequest = await bench.fitRequest(makeChat(exchanges, { model: COMPACTING.model }));
      await fitRequest.state.epochs.put(epochFor(fitRequest, 3, { projection: madeFor(3, block) }));
      return { share: fitRequest.history.tokens / 50_000, epoch: (await currentForm(fitRequest)).epoch };
    };
    const [far, near] = [await formAt(210), await formAt(300)];
    expect(far.share).toBeGreaterThan(0.5);
    expect(far.share).toBeLessThan(0.6);
    expect(far.epoch).toBeUndefined();
    expect(near.share).toBeLessThan(1);
    expect(near.epoch?.projection).toEqual(madeFor(3, block));
  });

  it("continues with the references of earlier turns", async () => {
    const bench = await openFitBench({ context: { references: "on" } });
    const fitRequest = await bench.fitRequest(makeChat(3));
    await fitRequest.state.epochs.put(epochFor(fitRequest, 5, { from: 0 }));
    expect((await currentForm(fitRequest)).epoch).toBeUndefined();
    await fitRequest.state.epochs.put(epochFor(fitRequest, 3, { from: 2 }));
    expect((await currentForm(fitRequest)).epoch).toEqual(epochFor(fitRequest, 3, { from: 2 }));
  });
});

it("belongs to the replaced messages, in the request's scope", async () => {
  const bench = await openFitBench({ nowMs: () => 5 });
  const fitRequest = await bench.fitRequest(makeChat(3), { "x-session-id": "s" });
  const figures = { tokensBefore: 9, tokensAfter: 3, targetTokens: 4, costUsd: 0.5 };
  const made = { strategy: "native", from: 0, projection: makeProjection(4), isPlaceholder: false, ...figures };
  expect(epochOf(fitRequest, made, { base: undefined, reads: "messages" })).toEqual({
    ...made,
    scope: fitRequest.scope,
    prefix: fitRequest.history.prefixes()[3],
    bound: fitRequest.history.loosePrefixes("s")[3],
    evidence: { head: "", through: 4, messages: ["", "", "", ""] },
    tenant: fitRequest.tenant,
    session: "s",
    upstream: "anthropic",
    model: BENCH_MODEL,
    madeAtMs: 5,
  });
});
