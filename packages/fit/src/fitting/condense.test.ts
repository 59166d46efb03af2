import { type Answer, type Ask, PROJECTION_VERSION, type Report } from "@longhaul/condense/advanced";
import { makeCompaction, PIXEL_PNG } from "@longhaul/conversation/testing";
import type { Epoch } from "@longhaul/store";
import { describe, expect, it } from "vitest";
import { type FitBenchOptions, makeChat, openFitBench } from "../testing/index.ts";
import { type Condensed, renderWork } from "../workers/work.ts";
import {
  type Condensing,
  compactionReport,
  condense,
  keep,
  keepBlock,
  placeholderForm,
  renderBlock,
  sentMessages,
  tooLarge,
  withoutSurplusMedia,
} from "./condense.ts";
import { hasSurplusMedia } from "./fit.ts";
import { type FitRequest, rawForm, renderedForm } from "./fit-request.ts";

const SUMMARY = "They spoke of harbours and lanterns.";
const NATIVE = { context: { strategy: "native" } };

async function openLong(options: FitBenchOptions = NATIVE, body: object = makeChat(60)) {
  const bench = await openFitBench(options);
  const fitRequest = await bench.fitRequest(body);
  const asks: Ask[] = [];
  const done: [Epoch, Condensed][] = [];
  const missed: Report[] = [];
  const condensing: Condensing = {
    from: rawForm(fitRequest),
    compact: undefined,
    needsStrategy: true,
    answer: async (ask) => {
      asks.push(ask);
      return { kind: "text", text: SUMMARY, costUsd: 0.25 };
    },
    onDone: (...kept) => void done.push(kept),
    onMissed: (report) => void missed.push(report),
    wait: () => Promise.resolve(),
  };
  const found = () => fitRequest.state.epochs.find(fitRequest);
  return { bench, fitRequest, condensing, asks, done, missed, found };
}

/** Returns the result of a condensation that no other gateway works on. */
async function made(fitRequest: FitRequest, condensing: Condensing): Promise<Condensed> {
  const condensed = await condense(fitRequest, condensing).done;
  if (condensed === undefined) throw new Error("another gateway has condensed it");
  return condensed;
}

describe("condense", () => {
  it("stores its result for later turns", async () => {
    const { fitRequest, condensing, done, found, asks } = await openLong();
    const { report, projection } = await made(fitRequest, condensing);
    expect(asks).toHaveLength(1);
    const [[epoch] = []] = done;
    expect(await found()).toEqual([epoch]);
    expect(epoch).toMatchObject({
      strategy: "native",
      isPlaceholder: false,
      from: 0,
      costUsd: 0.25,
      session: fitRequest.session,
    });
    expect(epoch?.prefix).toBe(fitRequest.history.prefixes()[projection.messages - 1]);
    expect(report.tokensAfter).toBeLessThanOrEqual(fitRequest.limits.targetTokens);
    expect(JSON.stringify(epoch?.projection)).toContain(SUMMARY);
  });

  it("is shared by all requests of the conversation that arrive while it runs", async () => {
    const { bench, fitRequest, condensing: atOnce, asks, done } = await openLong();
    let giveAnswer = () => {};
    const joined = new Promise<void>((resolve) => {
      giveAnswer = resolve;
    });
    const condensing: Condensing = { ...atOnce, answer: (ask) => joined.then(() => atOnce.answer(ask)) };
    const first = condense(fitRequest, condensing);
    expect(condense(fitRequest, condensing)).toBe(first);
    const grown = await bench.fitRequest({
      ...makeChat(60),
      messages: [...makeChat(60).messages, { role: "assistant", content: "Yes." }],
    });
    expect(condense(grown, condensing)).toBe(first);
    giveAnswer();
    await first.done;
    expect([asks.length, done.length]).toEqual([1, 1]);
    expect(condense(fitRequest, condensing)).not.toBe(first);
    await bench.state.jobs.settled();
  });

  it("reports when it waits for a model", async () => {
    const { fitRequest, condensing } = await openLong();
    let giveAnswer: (answer: Answer) => void = () => {};
    const answer = () =>
      new Promise<Answer>((resolve) => {
        giveAnswer = resolve;
      });
    const job = condense(fitRequest, { ...condensing, answer });
    await job.asked;
    giveAnswer({ kind: "text", text: SUMMARY });
    expect((await job.done)?.report.strategy).toBe("native");
  });

  it("resolves `asked` when it is done if no model was asked", async () => {
    const { fitRequest, condensing, asks } = await openLong({});
    await condense(fitRequest, condensing).asked;
    expect(asks).toEqual([]);
  });

  it("uses the fallbacks if a model fails", async () => {
    const { fitRequest, condensing } = await openLong({
      context: { strategy: "native", fallbacks: ["native", "sliding-window"] },
    });
    const { report } = await made(fitRequest, { ...condensing, answer: async () => ({ kind: "failed", why: "gone" }) });
    expect(report.strategy).toBe("sliding-window");
    expect(report.fallbacks.map(({ strategy }) => strategy)).toEqual(["native"]);
  });

  it("gives the operator's prompt to strategies that accept one", async () => {
    const prompt = "Write what was said in three words.";
    const { fitRequest, condensing, asks } = await openLong({ context: { strategy: "native", prompt } });
    await condense(fitRequest, condensing).done;
    expect(asks[0]?.instructions).toContain(prompt);
    const mechanical = await openLong({ context: { prompt } });
    expect((await made(mechanical.fitRequest, mechanical.condensing)).report.strategy).toBe("middle-out");
  });

  it("remembers a run without a usable result, and stores and reports nothing", async () => {
    const { fitRequest, condensing, done, found } = await openLong(
      {},
      makeChat(1, { system: "Be brief. ".repeat(3_000) }),
    );
    const { report } = await made(fitRequest, condensing);
    expect(report.tokensAfter).toBeGreaterThan(fitRequest.limits.budgetTokens);
    expect(fitRequest.state.jobs.lastMiss(fitRequest.scope, fitRequest.history.prefixes())).toMatchObject({
      tokensBefore: condensing.from.tokens,
    });
    expect([done, await found()]).toEqual([[], []]);
  });

  it("remembers a failed run as one without a usable result", async () => {
    const { fitRequest, condensing } = await openLong();
    const job = condense(fitRequest, { ...condensing, answer: () => Promise.reject(new Error("gone")) });
    await expect(job.done).rejects.toThrow("gone");
    await job.asked;
    expect(fitRequest.state.jobs.lastMiss(fitRequest.scope, fitRequest.history.prefixes())).toMatchObject({
      tokensAfter: condensing.from.tokens,
    });
    expect(fitRequest.state.jobs.find(fitRequest.scope, fitRequest.history.prefixes())).toBeUndefined();
  });

  it("uses the own model's compaction for the messages that were sent", async () => {
    const { fitRequest, condensing, asks, done } = await openLong();
    const prefix = fitRequest.history.prefixes()[99] ?? "";
    fitRequest.state.anchors.keep(fitRequest.scope, prefix, {
      reported: 1,
      estimated: 1,
      ratio: fitRequest.ratio,
      atMs: 0,
    });
    expect(sentMessages(fitRequest, condensing.from)).toBe(100);
    const block = makeCompaction(SUMMARY);
    const { projection, report } = await made(fitRequest, {
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
    ["replaces too little", { kind: "compaction", block: makeCompaction(SUMMARY) }],
  ])("uses the strategy if the own model's compaction %s", async (_, answer) => {
    const { fitRequest, condensing } = await openLong();
    const { report } = await made(fitRequest, { ...condensing, compact: async () => answer });
    expect(report.strategy).toBe("native");
  });

  it("adds the cost of a compaction without a result to that of the strategy", async () => {
    const { fitRequest, condensing, done, missed } = await openLong();
    const compact = async (): Promise<Answer> => ({ kind: "failed", why: "it returned no summary", costUsd: 0.5 });
    const { report } = await made(fitRequest, { ...condensing, compact });
    expect(report).toMatchObject({ strategy: "native", costUsd: 0.75 });
    expect([done[0]?.[0].costUsd, missed]).toEqual([0.75, []]);
  });

  it.each<[string, Answer, number]>([
    ["gives no summary", { kind: "failed", why: "it returned no summary", costUsd: 0.5 }, 0.5],
    ["is refused", { kind: "failed", why: "it answered with status 400" }, 0],
    ["replaces too little", { kind: "compaction", block: makeCompaction(SUMMARY), costUsd: 0.5 }, 0.5],
  ])("reports a compaction that %s, if no strategy is due", async (_, answer, costUsd) => {
    const { fitRequest, condensing, done, missed } = await openLong();
    await condense(fitRequest, { ...condensing, needsStrategy: false, compact: async () => answer }).done;
    const { tokens } = condensing.from;
    const sizes = { tokensBefore: tokens, tokensAfter: tokens };
    expect([done, missed]).toMatchObject([[], [{ strategy: "compaction", costUsd, ...sizes }]]);
  });

  it("reports the cost of a strategy whose result does not fit", async () => {
    const { fitRequest, condensing, missed } = await openLong();
    const limits = { ...fitRequest.limits, budgetTokens: 1, targetTokens: 1 };
    await condense({ ...fitRequest, limits, plan: { ...fitRequest.plan, budget: limits } }, condensing).done;
    expect(missed).toMatchObject([{ costUsd: expect.any(Number), tokensAfter: condensing.from.tokens }]);
  });
});

describe("placeholderForm", () => {
  it("fits without a model and is replaced by a summary later", async () => {
    const { fitRequest, condensing, found } = await openLong();
    const form = await placeholderForm(fitRequest, condensing.from);
    expect(form.tokens).toBeLessThanOrEqual(fitRequest.limits.budgetTokens);
    expect(await found()).toMatchObject([{ isPlaceholder: true, strategy: "middle-out" }]);
  });

  it("throws the excess if the conversation cannot fit", async () => {
    const { fitRequest, condensing } = await openLong({}, makeChat(1, { system: "Be brief. ".repeat(3_000) }));
    await expect(placeholderForm(fitRequest, condensing.from)).rejects.toMatchObject({ code: "request.too-large" });
  });
});

describe("withoutSurplusMedia", () => {
  it("removes surplus images, oldest first, and nothing else", async () => {
    const image = { type: "image", source: { type: "base64", media_type: "image/png", data: PIXEL_PNG } };
    const messages = [1, 2, 3].flatMap((index) => [
      { role: "user", content: [{ type: "text", text: `Picture ${index}.` }, image] },
      { role: "assistant", content: `Seen ${index}.` },
    ]);
    const body = makeChat(0, { messages: [...messages, { role: "user", content: "Well?" }] });
    const { fitRequest, condensing } = await openLong({ window: 40_000, facts: { images: { maxCount: 2 } } }, body);
    const form = await withoutSurplusMedia(fitRequest, condensing.from);
    expect([hasSurplusMedia(fitRequest, condensing.from), hasSurplusMedia(fitRequest, form)]).toEqual([true, false]);
    const json = form.rendering?.parts.map((part) =>
      part.kind === "written" ? part.json : `[${part.from}-${part.to}]`,
    );
    expect(json?.join("")).toMatch(/Picture 1\..*Picture 2\./s);
    expect(json?.join("")).not.toContain("Picture 3");
    expect(json?.join("")).not.toContain(PIXEL_PNG);
  });
});

describe("keep", () => {
  it("has the rendering for the next turn ready", async () => {
    const { fitRequest, condensing } = await openLong({});
    const condensed = await made(fitRequest, condensing);
    const epoch = await keep(fitRequest, condensed, { from: condensing.from });
    const form = renderedForm(fitRequest, epoch, condensed.rendering);
    expect(form.rendering).toBe(condensed.rendering);
    const renderings = await fitRequest.state.renderings.find({
      key: `${epoch.scope}/${epoch.prefix}/${epoch.madeAtMs}`,
      projection: { version: PROJECTION_VERSION, messages: 0, entries: [] },
      history: fitRequest.history,
      prompt: fitRequest.prompt,
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
  it("reports the excess and the sizes of the parts", async () => {
    const fitRequest = await (await openFitBench()).fitRequest(makeChat(40, { system: "Be brief." }));
    const { history, limits } = fitRequest;
    const error = tooLarge(fitRequest, condensed);
    expect(error.code).toBe("request.too-large");
    expect(error.message).toContain(
      `exceed the budget of ${limits.budgetTokens} tokens by ${5_000 - limits.budgetTokens}:`,
    );
    expect(error.message).toContain(`system and tools take ${history.headTokens} tokens`);
    expect(error.message).toContain(`the last message ${history.messageTokens.at(-1)}`);
    expect(error.overflow).toMatchObject({ actualTokens: history.tokens, limitTokens: 4_000 });
    expect(history.tokens).toBeGreaterThan(4_000);
  });

  it("reports a limit that the request exceeds", async () => {
    const { fitRequest: open } = await openFitBench({ facts: { maxInput: 50 } });
    const fitRequest = await open(makeChat(1));
    expect(tooLarge(fitRequest, condensed).overflow).toMatchObject({
      actualTokens: fitRequest.history.tokens,
      limitTokens: 50,
    });
  });

  it("reports a budget of 0 if the answer alone fills the window", async () => {
    const fitRequest = await (await openFitBench()).fitRequest(makeChat(1));
    const error = tooLarge({ ...fitRequest, limits: { ...fitRequest.limits, budgetTokens: -92 } }, condensed);
    expect(error.message).toContain("exceed the budget of 0 tokens by 5000");
  });

  it("reports limits that are not about tokens", async () => {
    const fitRequest = await (await openFitBench()).fitRequest(makeChat(1));
    const misfits = [{ what: "images", size: 300, limit: 200 } as const];
    const error = tooLarge(fitRequest, { ...condensed, misfits });
    expect(error.message).toContain("send fewer or smaller images or files");
    expect(error.message).toContain("300");
  });
});

const block = makeCompaction("They spoke of harbours.");

describe("renderBlock", () => {
  it("writes the same as a rendering of the whole conversation", async () => {
    const bench = await openFitBench({ model: "claude-opus-4-6" });
    const fitRequest = await bench.fitRequest(makeChat(10, { model: "claude-opus-4-6" }));
    const form = rawForm(fitRequest);
    const { projection, rendering, report } = await renderBlock(fitRequest, form, {
      block,
      messages: 15,
      costUsd: 0.5,
    });
    const counter = await bench.state.counters.counterFor(fitRequest.prompt.tokenizer, fitRequest.ratio);
    const whole = renderWork(fitRequest.prompt, projection, counter);
    const entry = (json: string) => JSON.parse(json);
    const jsonOf = ({ parts }: typeof whole) =>
      parts.map((part) => (part.kind === "written" ? entry(part.json) : part));
    expect(jsonOf(rendering)).toEqual(jsonOf(whole));
    expect(rendering).toMatchObject({ messages: 15, prints: whole.prints, ratio: whole.ratio });
    expect(rendering.parts.map((part) => part.kind === "written" && part.tokens)).toEqual(
      whole.parts.map((part) => part.kind === "written" && part.tokens),
    );
    expect(report).toMatchObject({ strategy: "compaction", costUsd: 0.5, tokensBefore: form.tokens });
    expect(report.tokensAfter).toBeLessThan(form.tokens);
  });

  it("reports the remaining excess", async () => {
    const bench = await openFitBench({ model: "claude-opus-4-6" });
    const fitRequest = await bench.fitRequest(makeChat(60, { model: "claude-opus-4-6" }));
    const limits = { ...fitRequest.limits, budgetTokens: 100 };
    const { misfits, report } = await renderBlock({ ...fitRequest, limits }, rawForm(fitRequest), {
      block,
      messages: 15,
      costUsd: 0,
    });
    expect(misfits).toEqual([{ what: "tokens", size: report.tokensAfter, limit: 100 }]);
  });
});

it("reports the figures under its own name, without passes", () => {
  const report = compactionReport({ tokensBefore: 100, tokensAfter: 10, costUsd: 0.5 });
  expect(report).toMatchObject({
    strategy: "compaction",
    tokensBefore: 100,
    tokensAfter: 10,
    costUsd: 0.5,
    passes: [],
  });
});

it("stores a vendor's summary in place of all messages of its request, at no extra cost", async () => {
  const bench = await openFitBench({ model: "claude-opus-4-6" });
  const fitRequest = await bench.fitRequest(makeChat(4, { model: "claude-opus-4-6" }));
  const form = rawForm(fitRequest);
  const block = makeCompaction("They spoke of harbours.");
  const epoch = await keepBlock({ fitRequest, form }, block);
  expect(epoch).toMatchObject({
    strategy: "compaction",
    costUsd: 0,
    isPlaceholder: false,
    prefix: fitRequest.history.prefixes()[8],
  });
  expect(epoch.projection).toMatchObject({
    messages: 9,
    entries: [{ kind: "made", from: 0, to: 9, message: { blocks: [block] } }],
  });
  const grown = [...makeChat(4).messages, { role: "assistant", content: "Yes." }, { role: "user", content: "More." }];
  const next = await bench.fitRequest(makeChat(4, { model: "claude-opus-4-6", messages: grown }));
  expect(await bench.state.epochs.find(next)).toEqual([epoch]);
});
