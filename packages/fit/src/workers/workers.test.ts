import type { Worker } from "node:worker_threads";
import type { Ask } from "@longhaul/condense";
import { LonghaulError } from "@longhaul/conversation";
import { makeTokenCounters } from "@longhaul/models";
import { FORMATS } from "@longhaul/wire/testing";
import fc from "fast-check";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { sha256 } from "../history/known-messages.ts";
import { makeChat } from "../testing/index.ts";
import { anyProjected, makePlan, makePrompt } from "../testing/projections.ts";
import { makeAsk, makeTalk } from "../testing/summaries.ts";
import type { Condensed, CondenseWork } from "./work.ts";
import { type AnswerAsks, openWorkers } from "./workers.ts";

const counters = makeTokenCounters({ hash: sha256 });
const inline = openWorkers(counters, Number.POSITIVE_INFINITY);
const threaded = openWorkers(counters, 0);
afterAll(() => threaded.close());

const workOf = (fields: Partial<CondenseWork> = {}): CondenseWork => ({
  prompt: makePrompt(JSON.stringify(makeChat(20)), "anthropic-messages"),
  plan: makePlan("native"),
  ...fields,
});

const answer: AnswerAsks = async (asks) =>
  asks.map(() => ({ kind: "text", text: "They spoke of harbours.", costUsd: 0.5 }));

/** The result without times. */
function timeless({ report, ...condensed }: Condensed) {
  return {
    ...condensed,
    report: { ...report, milliseconds: 0, passes: report.passes.map((pass) => ({ ...pass, milliseconds: 0 })) },
  };
}

describe("openWorkers", () => {
  it("writes summaries without a model and shortens asks on a thread as inline", async () => {
    const ask = makeAsk(makeTalk(30));
    const counting = { tokenizer: "o200k" } as const;
    const summaries = [await threaded.answerOffline(ask, counting), await inline.answerOffline(ask, counting)];
    expect(summaries[0]).toEqual(summaries[1]);
    expect(summaries[0]).toMatchObject({ kind: "text", text: expect.stringContaining("module-") });
    const narrowed = [await threaded.narrowAsk(ask, 2_000, counting), await inline.narrowAsk(ask, 2_000, counting)];
    expect(narrowed[0]).toEqual(narrowed[1]);
    expect(JSON.stringify(narrowed[0]).length).toBeLessThan(JSON.stringify(ask).length / 2);
  });

  it.each(FORMATS.map((format) => [format.codec.id, format] as const))(
    "renders on a thread as inline: %s",
    async (wire, format) => {
      await fc.assert(
        fc.asyncProperty(anyProjected(format), async ({ text, projection }) => {
          const prompt = makePrompt(text, wire, { vendor: format.vendor });
          expect(await threaded.render(prompt, projection)).toEqual(await inline.render(prompt, projection));
        }),
        { numRuns: 25 },
      );
    },
  );

  it.each(["native", "middle-out", "tree-summary", "smart"])(
    "condenses on a thread as inline: %s",
    async (strategy) => {
      const work = workOf({ plan: makePlan(strategy) });
      const [there, here] = [await threaded.condense(work, answer), await inline.condense(work, answer)];
      expect(timeless(there)).toEqual(timeless(here));
      expect(there.report.tokensAfter).toBeLessThan(there.report.tokensBefore);
    },
  );

  it("asks the same on a thread as inline, except native values", async () => {
    const asksOf = async (workers: typeof inline) => {
      const received: Ask[] = [];
      await workers.condense(workOf(), (asks) => {
        received.push(...asks);
        return answer(asks);
      });
      return received;
    };
    const [there, here] = [await asksOf(threaded), await asksOf(inline)];
    const plainly = (asks: readonly Ask[]) =>
      asks.map((ask) => ({
        ...ask,
        messages: ask.messages.map(({ role, blocks }) => ({
          role,
          text: blocks.map((block) => "text" in block && block.text),
        })),
      }));
    expect(there).toHaveLength(1);
    expect(plainly(there)).toEqual(plainly(here));
    expect(JSON.stringify(there)).not.toContain('"native"');
  });

  it("works on several conversations at once", async () => {
    const works = [5, 10, 15, 20].map((exchanges) =>
      workOf({ prompt: makePrompt(JSON.stringify(makeChat(exchanges + 10)), "anthropic-messages") }),
    );
    const there = await Promise.all(works.map((work) => threaded.condense(work, answer)));
    const here = await Promise.all(works.map((work) => inline.condense(work, answer)));
    expect(there.map(timeless)).toEqual(here.map(timeless));
  });

  it.each([
    ["here", inline],
    ["on a thread", threaded],
  ])("fails %s with the error's code, and continues with the next job", async (_, workers) => {
    const broken = workOf({ prompt: makePrompt('{"messages":[{"role":"nobody"}]}', "anthropic-messages") });
    await expect(workers.condense(broken, answer)).rejects.toMatchObject({ code: "request.malformed" });
    const entries = [{ kind: "keep", from: 0, to: 90 }] as const;
    const { prompt } = workOf();
    await expect(workers.render(prompt, { version: 2, messages: 90, entries })).rejects.toMatchObject({
      code: "condense.failed",
    });
    const gone = new LonghaulError("upstream.unreachable", "no upstream");
    await expect(workers.condense(workOf(), () => Promise.reject(gone))).rejects.toBe(gone);
    expect((await workers.condense(workOf(), answer)).report.strategy).toBe("native");
  });

  it("works on small bodies inline and starts no thread for them", async () => {
    const started: unknown[] = [];
    const note = (worker: unknown) => started.push(worker);
    process.on("worker", note);
    const workers = openWorkers(counters);
    workers.prepare(64 * 1024);
    await workers.condense(workOf(), answer);
    expect(started).toHaveLength(0);
    workers.prepare(64 * 1024 + 1);
    workers.prepare(64 * 1024 + 1);
    await workers.close();
    expect(started).toHaveLength(1);
    process.off("worker", note);
  });
});

describe("a thread that crashes", () => {
  it("rejects its jobs and is replaced for the next ones, even before it has ended", async () => {
    const started: Worker[] = [];
    const note = (worker: Worker) => void started.push(worker);
    process.on("worker", note);
    onTestFinished(() => void process.off("worker", note));
    const workers = openWorkers(counters, 0);
    const first = workers.condense(workOf(), async () => {
      // An unexpected message crashes the worker.
      started[0]?.postMessage(null);
      return await new Promise<never>(() => {});
    });
    const error = await first.catch((cause: unknown) => cause);
    expect(error).toMatchObject({ code: "internal.bug", cause: expect.any(TypeError) });
    const second = await workers.condense(workOf(), answer);
    expect(second.report.strategy).toBe("native");
    expect(started).toHaveLength(2);
    const third = await workers.condense(workOf(), answer);
    expect(third.rendering).toEqual(second.rendering);
    expect(started).toHaveLength(2);
    await workers.close();
  });
});
