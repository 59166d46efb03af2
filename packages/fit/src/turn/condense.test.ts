import { type Answer, type Ask, PROJECTION_VERSION } from "@longhaul/condense";
import { makeCompaction, PIXEL_PNG } from "@longhaul/conversation/testing";
import type { Epoch } from "@longhaul/store";
import { describe, expect, it } from "vitest";
import { type FitBenchOptions, makeChat, openFitBench } from "../testing/index.ts";
import type { Condensed } from "../work/work.ts";
import {
  type Condensing,
  condense,
  formOf,
  keep,
  sentMessages,
  standIn,
  tooLarge,
  withoutSurplusMedia,
} from "./condense.ts";
import { compactionReport } from "./render-block.ts";
import { hasSurplusMedia } from "./surplus-media.ts";
import { rawForm, type Turn } from "./turn.ts";

const SUMMARY = "They spoke of harbours and lanterns.";
const NATIVE = { context: { strategy: "native" } };

async function openLong(options: FitBenchOptions = NATIVE, body: object = makeChat(60)) {
  const bench = await openFitBench(options);
  const turn = await bench.turn(body);
  const asks: Ask[] = [];
  const done: [Epoch, Condensed][] = [];
  const condensing: Condensing = {
    from: rawForm(turn),
    compact: undefined,
    answer: async (ask) => {
      asks.push(ask);
      return { kind: "text", text: SUMMARY, costUsd: 0.25 };
    },
    onDone: (...kept) => void done.push(kept),
    wait: () => Promise.resolve(),
  };
  const found = () => turn.state.shelf.find(turn);
  return { bench, turn, condensing, asks, done, found };
}

/** What comes of a condensation that no other gateway is at. */
async function made(turn: Turn, condensing: Condensing): Promise<Condensed> {
  const condensed = await condense(turn, condensing).done;
  if (condensed === undefined) throw new Error("another gateway has condensed it");
  return condensed;
}

describe("condense", () => {
  it("keeps what it makes for the turns after this one", async () => {
    const { turn, condensing, done, found, asks } = await openLong();
    const { report, projection } = await made(turn, condensing);
    expect(asks).toHaveLength(1);
    const [[epoch] = []] = done;
    expect(await found()).toEqual([epoch]);
    expect(epoch).toMatchObject({
      strategy: "native",
      isStandIn: false,
      from: 0,
      costUsd: 0.25,
      session: turn.session,
    });
    expect(epoch?.prefix).toBe(turn.history.prefixes()[projection.messages - 1]);
    expect(report.tokensAfter).toBeLessThanOrEqual(turn.limits.targetTokens);
    expect(JSON.stringify(epoch?.projection)).toContain(SUMMARY);
  });

  it("is joined by every request of the conversation that comes while it runs", async () => {
    const { bench, turn, condensing: atOnce, asks, done } = await openLong();
    let giveAnswer = () => {};
    const joined = new Promise<void>((resolve) => {
      giveAnswer = resolve;
    });
    const condensing: Condensing = { ...atOnce, answer: (ask) => joined.then(() => atOnce.answer(ask)) };
    const first = condense(turn, condensing);
    expect(condense(turn, condensing)).toBe(first);
    const grown = await bench.turn({
      ...makeChat(60),
      messages: [...makeChat(60).messages, { role: "assistant", content: "Yes." }],
    });
    expect(condense(grown, condensing)).toBe(first);
    giveAnswer();
    await first.done;
    expect([asks.length, done.length]).toEqual([1, 1]);
    expect(condense(turn, condensing)).not.toBe(first);
    await bench.state.jobs.settled();
  });

  it("says when it waits for a model", async () => {
    const { turn, condensing } = await openLong();
    let giveAnswer: (answer: Answer) => void = () => {};
    const answer = () =>
      new Promise<Answer>((resolve) => {
        giveAnswer = resolve;
      });
    const job = condense(turn, { ...condensing, answer });
    await job.asked;
    giveAnswer({ kind: "text", text: SUMMARY });
    expect((await job.done)?.report.strategy).toBe("native");
  });

  it("has asked once it is done, where nobody was asked", async () => {
    const { turn, condensing, asks } = await openLong({});
    await condense(turn, condensing).asked;
    expect(asks).toEqual([]);
  });

  it("goes on with the fallbacks where a model fails", async () => {
    const { turn, condensing } = await openLong({
      context: { strategy: "native", fallbacks: ["native", "sliding-window"] },
    });
    const { report } = await made(turn, { ...condensing, answer: async () => ({ kind: "failed", why: "gone" }) });
    expect(report.strategy).toBe("sliding-window");
    expect(report.fallbacks.map(({ strategy }) => strategy)).toEqual(["native"]);
  });

  it("gives the operator's prompt to strategies that take one", async () => {
    const prompt = "Write what was said in three words.";
    const { turn, condensing, asks } = await openLong({ context: { strategy: "native", prompt } });
    await condense(turn, condensing).done;
    expect(asks[0]?.instructions).toContain(prompt);
    const mechanical = await openLong({ context: { prompt } });
    expect((await made(mechanical.turn, mechanical.condensing)).report.strategy).toBe("middle-out");
  });

  it("remembers what came to nothing, keeps none of it, and tells nobody", async () => {
    const { turn, condensing, done, found } = await openLong({}, makeChat(1, { system: "Be brief. ".repeat(3_000) }));
    const { report } = await made(turn, condensing);
    expect(report.tokensAfter).toBeGreaterThan(turn.limits.budgetTokens);
    expect(turn.state.jobs.lastMiss(turn.scope, turn.history.prefixes())).toMatchObject({
      tokensBefore: condensing.from.tokens,
    });
    expect([done, await found()]).toEqual([[], []]);
  });

  it("remembers what went wrong as something that came to nothing", async () => {
    const { turn, condensing } = await openLong();
    const job = condense(turn, { ...condensing, answer: () => Promise.reject(new Error("gone")) });
    await expect(job.done).rejects.toThrow("gone");
    await job.asked;
    expect(turn.state.jobs.lastMiss(turn.scope, turn.history.prefixes())).toMatchObject({
      tokensAfter: condensing.from.tokens,
    });
    expect(turn.state.jobs.find(turn.scope, turn.history.prefixes())).toBeUndefined();
  });

  it("takes the summary of the conversation's own model for what was sent of it", async () => {
    const { turn, condensing, asks, done } = await openLong();
    const prefix = turn.history.prefixes()[99] ?? "";
    turn.state.anchors.keep(turn.scope, prefix, { reported: 1, estimated: 1, ratio: turn.ratio, atMs: 0 });
    expect(sentMessages(turn, condensing.from)).toBe(100);
    const block = makeCompaction(SUMMARY);
    const { projection, report } = await made(turn, {
      ...condensing,
      compact: async () => ({ kind: "compaction", block, costUsd: 0.5 }),
    });
    expect(asks).toEqual([]);
    expect(projection).toMatchObject({
      messages: 100,
      entries: [{ kind: "made", to: 100, message: { blocks: [block] } }],
    });
    expect(report).toMatchObject({ strategy: "compaction", costUsd: 0.5 });
    expect(done).toHaveLength(1);
  });

  it.each<[string, Answer | undefined]>([
    ["gives none", undefined],
    ["fails", { kind: "failed", why: "gone" }],
    ["stands for too little", { kind: "compaction", block: makeCompaction(SUMMARY) }],
  ])("goes on with the strategy where the model's own summary %s", async (_, answer) => {
    const { turn, condensing } = await openLong();
    const { report } = await made(turn, { ...condensing, compact: async () => answer });
    expect(report.strategy).toBe("native");
  });
});

describe("standIn", () => {
  it("fits without asking anybody, and gives way to a summary later", async () => {
    const { turn, condensing, found } = await openLong();
    const form = await standIn(turn, condensing.from);
    expect(form.tokens).toBeLessThanOrEqual(turn.limits.budgetTokens);
    expect(await found()).toMatchObject([{ isStandIn: true, strategy: "middle-out" }]);
  });

  it("throws what is too large where it cannot be made to fit", async () => {
    const { turn, condensing } = await openLong({}, makeChat(1, { system: "Be brief. ".repeat(3_000) }));
    await expect(standIn(turn, condensing.from)).rejects.toMatchObject({ code: "request.too-large" });
  });
});

describe("withoutSurplusMedia", () => {
  it("takes away the images that are too many, oldest first, and nothing else", async () => {
    const image = { type: "image", source: { type: "base64", media_type: "image/png", data: PIXEL_PNG } };
    const messages = [1, 2, 3].flatMap((index) => [
      { role: "user", content: [{ type: "text", text: `Picture ${index}.` }, image] },
      { role: "assistant", content: `Seen ${index}.` },
    ]);
    const body = makeChat(0, { messages: [...messages, { role: "user", content: "Well?" }] });
    const { turn, condensing } = await openLong({ window: 40_000, facts: { images: { maxCount: 2 } } }, body);
    const form = await withoutSurplusMedia(turn, condensing.from);
    expect([hasSurplusMedia(turn, condensing.from), hasSurplusMedia(turn, form)]).toEqual([true, false]);
    const json = form.rendering?.parts.map((part) =>
      part.kind === "written" ? part.json : `[${part.from}-${part.to}]`,
    );
    expect(json?.join("")).toMatch(/Picture 1\..*Picture 2\./s);
    expect(json?.join("")).not.toContain("Picture 3");
    expect(json?.join("")).not.toContain(PIXEL_PNG);
  });
});

describe("keep", () => {
  it("has at hand how the next turn is sent", async () => {
    const { turn, condensing } = await openLong({});
    const condensed = await made(turn, condensing);
    const epoch = await keep(turn, condensed, { from: condensing.from });
    const form = formOf(turn, epoch, condensed);
    expect(form.rendering).toBe(condensed.rendering);
    const renderings = await turn.state.renderings.find({
      key: `${epoch.scope}/${epoch.prefix}/${epoch.madeAtMs}`,
      projection: { version: PROJECTION_VERSION, messages: 0, entries: [] },
      history: turn.history,
      prompt: turn.prompt,
    });
    expect(renderings).toBe(condensed.rendering);
  });
});

const condensed: Condensed = {
  projection: { version: PROJECTION_VERSION, messages: 0, entries: [] },
  rendering: { messages: 0, parts: [], prints: [], ratio: 1 },
  misfits: [],
  report: compactionReport({ tokensBefore: 0, tokensAfter: 5_000, costUsd: 0 }),
};

describe("tooLarge", () => {
  it("says by how much, and what takes how much", async () => {
    const turn = await (await openFitBench()).turn(makeChat(40, { system: "Be brief." }));
    const { history, limits } = turn;
    const error = tooLarge(turn, condensed);
    expect(error.code).toBe("request.too-large");
    expect(error.message).toContain(`${5_000 - limits.budgetTokens} tokens over the ${limits.budgetTokens}`);
    expect(error.message).toContain(`system and tools take ${history.headTokens} tokens`);
    expect(error.message).toContain(`the last message ${history.messageTokens.at(-1)}`);
    expect(error.overflow).toMatchObject({ actualTokens: history.tokens, limitTokens: 4_000 });
    expect(history.tokens).toBeGreaterThan(4_000);
  });

  it("names a limit that the request is over", async () => {
    const { turn: open } = await openFitBench({ facts: { maxInput: 50 } });
    const turn = await open(makeChat(1));
    expect(tooLarge(turn, condensed).overflow).toMatchObject({ actualTokens: turn.history.tokens, limitTokens: 50 });
  });

  it("speaks of no less than nothing where the answer alone fills the window", async () => {
    const turn = await (await openFitBench()).turn(makeChat(1));
    const error = tooLarge({ ...turn, limits: { ...turn.limits, budgetTokens: -92 } }, condensed);
    expect(error.message).toContain("5000 tokens over the 0 that may be sent");
  });

  it("names what is no matter of tokens", async () => {
    const turn = await (await openFitBench()).turn(makeChat(1));
    const misfits = [{ what: "images", size: 300, limit: 200 } as const];
    const error = tooLarge(turn, { ...condensed, misfits });
    expect(error.message).toContain("take it out of the request");
    expect(error.message).toContain("300");
  });
});
