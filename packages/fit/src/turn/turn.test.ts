import { PROJECTION_VERSION, type Projection } from "@longhaul/condense";
import { textMessage } from "@longhaul/conversation";
import { makeAssistant, makeCompaction } from "@longhaul/conversation/testing";
import type { Epoch } from "@longhaul/store";
import { makeEpoch } from "@longhaul/store/testing";
import { describe, expect, it } from "vitest";
import { epochName } from "../memory/form-name.ts";
import { type FitBenchOptions, makeChat, makeStore, openFitBench } from "../testing/index.ts";
import { currentForm, epochForm, rawForm, type Turn } from "./turn.ts";

const COMPACTING: FitBenchOptions = {
  model: "claude-opus-4-6",
  window: 200_000,
  config: { compaction: { onDemand: false, triggerTokens: 50_000 } },
};

function madeFor(messages: number, message = textMessage("user", "In short.")): Projection {
  return { version: PROJECTION_VERSION, messages, entries: [{ kind: "made", from: 0, to: messages, message }] };
}

/** An epoch for the first messages of a turn's conversation. */
function epochFor({ scope, history }: Turn, messages: number, fields: Partial<Epoch> = {}): Epoch {
  const prefix = history.prefixes()[messages - 1] ?? "";
  const evidence = { head: "", through: messages, messages: [] };
  return makeEpoch({ scope, prefix, evidence, projection: madeFor(messages), madeAtMs: messages, ...fields });
}

describe("rawForm", () => {
  it("is the size of the conversation, set right by what was reported", async () => {
    const turn = await (await openFitBench()).turn(makeChat(3));
    expect(rawForm(turn)).toEqual({ estimated: turn.history.tokens, tokens: turn.history.tokens });
    const { scope, history, ratio, state } = turn;
    const anchor = { reported: 150, estimated: 100, ratio, atMs: 0 };
    state.anchors.keep(scope, history.prefixes().at(-3) ?? "", anchor);
    expect(rawForm(turn)).toEqual({ estimated: history.tokens, tokens: history.tokens + 50 });
    state.anchors.keep(scope, history.prefixes().at(-1) ?? "", { ...anchor, reported: 1, estimated: 9_000 });
    expect(rawForm(turn).tokens).toBe(1);
  });
});

describe("epochForm", () => {
  it("has the beginning as the epoch has it, and the rest as it came", async () => {
    const turn = await (await openFitBench()).turn(makeChat(10));
    const epoch = epochFor(turn, 18);
    const form = await epochForm(turn, epoch);
    expect(form?.epoch).toBe(epoch);
    expect(form?.rendering).toMatchObject({ messages: 18, parts: [{ kind: "written" }] });
    expect(form?.tokens).toBeLessThan(rawForm(turn).tokens / 2);
  });

  it("removes an epoch that cannot be replayed", async () => {
    const turn = await (await openFitBench()).turn(makeChat(1));
    const epoch = epochFor(turn, 3, { projection: madeFor(90) });
    await turn.state.shelf.put(epoch);
    expect(await epochForm(turn, epoch)).toBeUndefined();
    expect(await turn.state.shelf.find(turn)).toEqual([]);
  });

  it("keeps it where the request, or the thread that works on it, is to blame", async () => {
    const bench = await openFitBench();
    const turn = await bench.turn(makeChat(3));
    const epoch = epochFor(turn, 3);
    await turn.state.shelf.put(epoch);
    const broken = {
      ...turn,
      prompt: { ...turn.prompt, body: new TextEncoder().encode('{"messages":[{"role":"nobody"}]}') },
    };
    await expect(epochForm(broken, epoch)).rejects.toMatchObject({ code: "request.malformed" });
    expect(turn.state.shelf.known(turn)).toEqual([epoch]);
  });
});

describe("currentForm", () => {
  it("is the conversation as it came where that is small enough, whatever epochs there are", async () => {
    const turn = await (await openFitBench()).turn(makeChat(3));
    await turn.state.shelf.put(epochFor(turn, 3));
    expect((await currentForm(turn)).epoch).toBeUndefined();
  });

  it("is the conversation as it came where there is no epoch", async () => {
    const turn = await (await openFitBench()).turn(makeChat(60));
    expect(await currentForm(turn)).toEqual(rawForm(turn));
  });

  it("has the longest beginning that makes it small enough", async () => {
    const turn = await (await openFitBench()).turn(makeChat(60));
    for (const messages of [4, 60, 100]) await turn.state.shelf.put(epochFor(turn, messages));
    expect((await currentForm(turn)).epoch).toEqual(epochFor(turn, 100));
  });

  it("is the smallest where none is small enough", async () => {
    const turn = await (await openFitBench({ window: 1_000 })).turn(makeChat(60));
    await turn.state.shelf.put(epochFor(turn, 30));
    await turn.state.shelf.put(
      epochFor(turn, 40, { projection: madeFor(40, textMessage("user", "Long. ".repeat(2_000))) }),
    );
    expect((await currentForm(turn)).epoch).toEqual(epochFor(turn, 30));
  });

  it("takes a stand-in only where nothing else does", async () => {
    const turn = await (await openFitBench()).turn(makeChat(60));
    const standIn = epochFor(turn, 110, { isStandIn: true });
    await turn.state.shelf.put(standIn);
    expect((await currentForm(turn)).epoch).toEqual(standIn);
    await turn.state.shelf.put(epochFor(turn, 100));
    expect((await currentForm(turn)).epoch).toEqual(epochFor(turn, 100));
  });

  it("asks nobody where the turn before this one was sent from here", async () => {
    const store = await makeStore();
    const turn = await (await openFitBench({ store })).turn(makeChat(60));
    const [early, late] = [epochFor(turn, 90), epochFor(turn, 100)];
    await turn.state.shelf.put(early);
    const sentUpTo = (messages: number) => {
      const anchor = { reported: 1, estimated: 1, ratio: turn.ratio, atMs: 0 };
      turn.state.anchors.keep(epochName(early), turn.history.prefixes()[messages - 1] ?? "", anchor);
    };
    sentUpTo(119);
    await store.epochs.put(late);
    expect((await currentForm(turn)).epoch).toEqual(early);
    sentUpTo(121);
    expect((await currentForm(turn)).epoch).toEqual(early);
  });

  it.each([
    ["one turn", 117],
    ["nothing", 0],
  ])("finds what another gateway has put there where it has seen %s less", async (_, messages) => {
    const store = await makeStore();
    const turn = await (await openFitBench({ store })).turn(makeChat(60));
    const [early, late] = [epochFor(turn, 90), epochFor(turn, 100)];
    await turn.state.shelf.put(early);
    const anchor = { reported: 1, estimated: 1, ratio: turn.ratio, atMs: 0 };
    turn.state.anchors.keep(epochName(early), turn.history.prefixes()[messages - 1] ?? "", anchor);
    await store.epochs.put(late);
    expect((await currentForm(turn)).epoch).toEqual(late);
  });

  it("finds in the store what is not known here", async () => {
    const bench = await openFitBench();
    const turn = await bench.turn(makeChat(60));
    await turn.state.shelf.put(epochFor(turn, 100));
    const forgetful = { ...turn.state, shelf: { ...turn.state.shelf, known: () => [] } };
    expect((await currentForm({ ...turn, state: forgetful })).epoch).toEqual(epochFor(turn, 100));
  });

  it("goes on with what the vendor compacted, once it might compact again", async () => {
    const bench = await openFitBench(COMPACTING);
    const block = makeAssistant(makeCompaction());
    const formAt = async (exchanges: number) => {
      const turn = await bench.turn(makeChat(exchanges, { model: COMPACTING.model }));
      await turn.state.shelf.put(epochFor(turn, 3, { projection: madeFor(3, block) }));
      return { share: turn.history.tokens / 50_000, epoch: (await currentForm(turn)).epoch };
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
    const turn = await bench.turn(makeChat(3));
    await turn.state.shelf.put(epochFor(turn, 5, { from: 0 }));
    expect((await currentForm(turn)).epoch).toBeUndefined();
    await turn.state.shelf.put(epochFor(turn, 3, { from: 2 }));
    expect((await currentForm(turn)).epoch).toEqual(epochFor(turn, 3, { from: 2 }));
  });
});
