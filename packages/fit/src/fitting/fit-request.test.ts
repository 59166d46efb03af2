import { PROJECTION_VERSION, type Projection } from "@longhaul/condense";
import { textMessage } from "@longhaul/conversation";
import { makeAssistant, makeCompaction } from "@longhaul/conversation/testing";
import type { Epoch } from "@longhaul/store";
import { makeEpoch, makeProjection } from "@longhaul/store/testing";
import { describe, expect, it } from "vitest";
import { epochName } from "../memory/epochs.ts";
import { BENCH_MODEL, type FitBenchOptions, makeChat, makeStore, openFitBench } from "../testing/index.ts";
import { currentForm, epochForm, epochOf, type FitRequest, rawForm } from "./fit-request.ts";

const COMPACTING: FitBenchOptions = {
  model: "claude-opus-4-6",
  window: 200_000,
  config: { compaction: { onDemand: false, triggerTokens: 50_000 } },
};

function madeFor(messages: number, message = textMessage("user", "In short.")): Projection {
  return { version: PROJECTION_VERSION, messages, entries: [{ kind: "made", from: 0, to: messages, message }] };
}

/** An epoch for the first messages of a turn's conversation. */
function epochFor({ scope, history }: FitRequest, messages: number, fields: Partial<Epoch> = {}): Epoch {
  const prefix = history.prefixes()[messages - 1] ?? "";
  const evidence = { head: "", through: messages, messages: [] };
  return makeEpoch({ scope, prefix, evidence, projection: madeFor(messages), madeAtMs: messages, ...fields });
}

describe("rawForm", () => {
  it("is the size of the conversation, set right by what was reported", async () => {
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
  it("has the beginning as the epoch has it, and the rest as it came", async () => {
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
    await fitRequest.state.shelf.put(epoch);
    expect(await epochForm(fitRequest, epoch)).toBeUndefined();
    expect(await fitRequest.state.shelf.find(fitRequest)).toEqual([]);
  });

  it("keeps it where the request, or the thread that works on it, is to blame", async () => {
    const bench = await openFitBench();
    const fitRequest = await bench.fitRequest(makeChat(3));
    const epoch = epochFor(fitRequest, 3);
    await fitRequest.state.shelf.put(epoch);
    const broken = {
      ...fitRequest,
      prompt: { ...fitRequest.prompt, body: new TextEncoder().encode('{"messages":[{"role":"nobody"}]}') },
    };
    await expect(epochForm(broken, epoch)).rejects.toMatchObject({ code: "request.malformed" });
    expect(fitRequest.state.shelf.known(fitRequest)).toEqual([epoch]);
  });
});

describe("currentForm", () => {
  it("is the conversation as it came where that is small enough, whatever epochs there are", async () => {
    const fitRequest = await (await openFitBench()).fitRequest(makeChat(3));
    await fitRequest.state.shelf.put(epochFor(fitRequest, 3));
    expect((await currentForm(fitRequest)).epoch).toBeUndefined();
  });

  it("is the conversation as it came where there is no epoch", async () => {
    const fitRequest = await (await openFitBench()).fitRequest(makeChat(60));
    expect(await currentForm(fitRequest)).toEqual(rawForm(fitRequest));
  });

  it("has the longest beginning that makes it small enough", async () => {
    const fitRequest = await (await openFitBench()).fitRequest(makeChat(60));
    for (const messages of [4, 60, 100]) await fitRequest.state.shelf.put(epochFor(fitRequest, messages));
    expect((await currentForm(fitRequest)).epoch).toEqual(epochFor(fitRequest, 100));
  });

  it("is the smallest where none is small enough", async () => {
    const fitRequest = await (await openFitBench({ window: 1_000 })).fitRequest(makeChat(60));
    await fitRequest.state.shelf.put(epochFor(fitRequest, 30));
    await fitRequest.state.shelf.put(
      epochFor(fitRequest, 40, { projection: madeFor(40, textMessage("user", "Long. ".repeat(2_000))) }),
    );
    expect((await currentForm(fitRequest)).epoch).toEqual(epochFor(fitRequest, 30));
  });

  it("takes a stand-in only where nothing else does", async () => {
    const fitRequest = await (await openFitBench()).fitRequest(makeChat(60));
    const standIn = epochFor(fitRequest, 110, { isStandIn: true });
    await fitRequest.state.shelf.put(standIn);
    expect((await currentForm(fitRequest)).epoch).toEqual(standIn);
    await fitRequest.state.shelf.put(epochFor(fitRequest, 100));
    expect((await currentForm(fitRequest)).epoch).toEqual(epochFor(fitRequest, 100));
  });

  it("asks nobody where the turn before this one was sent from here", async () => {
    const store = await makeStore();
    const fitRequest = await (await openFitBench({ store })).fitRequest(makeChat(60));
    const [early, late] = [epochFor(fitRequest, 90), epochFor(fitRequest, 100)];
    await fitRequest.state.shelf.put(early);
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

  it.each([
    ["one turn", 117],
    ["nothing", 0],
  ])("finds what another gateway has put there where it has seen %s less", async (_, messages) => {
    const store = await makeStore();
    const fitRequest = await (await openFitBench({ store })).fitRequest(makeChat(60));
    const [early, late] = [epochFor(fitRequest, 90), epochFor(fitRequest, 100)];
    await fitRequest.state.shelf.put(early);
    const anchor = { reported: 1, estimated: 1, ratio: fitRequest.ratio, atMs: 0 };
    fitRequest.state.anchors.keep(epochName(early), fitRequest.history.prefixes()[messages - 1] ?? "", anchor);
    await store.epochs.put(late);
    expect((await currentForm(fitRequest)).epoch).toEqual(late);
  });

  it("finds in the store what is not known here", async () => {
    const bench = await openFitBench();
    const fitRequest = await bench.fitRequest(makeChat(60));
    await fitRequest.state.shelf.put(epochFor(fitRequest, 100));
    const forgetful = { ...fitRequest.state, shelf: { ...fitRequest.state.shelf, known: () => [] } };
    expect((await currentForm({ ...fitRequest, state: forgetful })).epoch).toEqual(epochFor(fitRequest, 100));
  });

  it("goes on with what the vendor compacted, once it might compact again", async () => {
    const bench = await openFitBench(COMPACTING);
    const block = makeAssistant(makeCompaction());
    const formAt = async (exchanges: number) => {
      const fitRequest = await bench.fitRequest(makeChat(exchanges, { model: COMPACTING.model }));
      await fitRequest.state.shelf.put(epochFor(fitRequest, 3, { projection: madeFor(3, block) }));
      return { share: fitRequest.history.tokens / 50_000, epoch: (await currentForm(fitRequest)).epoch };
    };
    const [far, near] = [await formAt(210), await formAt(300)];
    expect(far.share).toBeGreaterThan(0.5);
    expect(far.share).toBeLessThan(0.6);
    expect(far.epoch).toBeUndefined();
    expect(near.share).toBeLessThan(1);
    expect(near.epoch?.projection).toEqual(madeFor(3, block));
  });

  it("goes on with the references of earlier turns", async () => {
    const bench = await openFitBench({ context: { references: "on" } });
    const fitRequest = await bench.fitRequest(makeChat(3));
    await fitRequest.state.shelf.put(epochFor(fitRequest, 5, { from: 0 }));
    expect((await currentForm(fitRequest)).epoch).toBeUndefined();
    await fitRequest.state.shelf.put(epochFor(fitRequest, 3, { from: 2 }));
    expect((await currentForm(fitRequest)).epoch).toEqual(epochFor(fitRequest, 3, { from: 2 }));
  });
});

it("belongs to the messages that its projection stands for, in the scope of the turn", async () => {
  const bench = await openFitBench({ nowMs: () => 5 });
  const fitRequest = await bench.fitRequest(makeChat(3), { "x-session-id": "s" });
  const figures = { tokensBefore: 9, tokensAfter: 3, targetTokens: 4, costUsd: 0.5 };
  const made = { strategy: "native", from: 0, projection: makeProjection(4), isStandIn: false, ...figures };
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
