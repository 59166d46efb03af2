import { type Ask, answerOffline } from "@longhaul/condense";
import { NO_USAGE, textMessage } from "@longhaul/conversation/advanced";
import { makeTokenCounters } from "@longhaul/models";
import type { Simulator } from "@longhaul/simulator";
import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { type BenchOptions, BODIES, makeAsk, makeSent, makeTalk, openBench } from "../testing/summaries.ts";
import { estimateAsk, makeQueue, makeSummarizer } from "./make-summarizer.ts";
import { openBody } from "./opened-body.ts";
import { askTokens, type SummarizerContext, type Writer } from "./summarizer.ts";
import { makeSummaryCosts } from "./summary-costs.ts";
import { counterFor } from "./trials.ts";

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function bench(options: BenchOptions = {}) {
  const opened = await openBench({ script: () => "say The gist of it.", ...options });
  closers.push(opened.close);
  return opened;
}

const never = new AbortController().signal;
const cheap = { settings: { summarizer: "cheap" } } satisfies Partial<SummarizerContext>;

const ownWriter: Writer = { kind: "model", upstream: "claude", model: "claude-sonnet-4-5", form: "text" };
const cheapWriter: Writer = {
  kind: "model",
  upstream: "claude",
  model: "claude-haiku-4-5",
  form: "text",
  profile: "cheap",
};

/** The amount that the simulator billed for all requests. */
function billed(simulator: Simulator) {
  const { inputTokens, cacheReadTokens, cacheWriteTokens, outputTokens, costUsd } = simulator.totals();
  return {
    usage: { inputTokens, cacheReadTokens, cacheWriteTokens, outputTokens },
    costUsd: expect.closeTo(costUsd, 10),
  };
}

async function offlineText(ask = makeAsk()) {
  const counter = await makeTokenCounters().counterFor("claude");
  const answer = answerOffline(ask, counter);
  return answer.kind === "text" ? answer.text : undefined;
}

describe("the writer of a summary", () => {
  it("is the profile in the settings", async () => {
    const { context, simulator, notes } = await bench();
    const answer = await makeSummarizer({ ...context, ...cheap }).answer(makeAsk(), never);
    expect(answer).toEqual({ kind: "text", text: "The gist of it.", ...billed(simulator) });
    expect(answer.costUsd).toBeGreaterThan(0);
    expect(notes).toEqual([{ writer: cheapWriter, failures: [], ...billed(simulator), milliseconds: 5 }]);
  });

  it("is the ask's own profile before that", async () => {
    const { context, simulator, notes } = await bench();
    const ask = makeAsk(makeTalk(10), { profile: "foreign" });
    const answer = await makeSummarizer({ ...context, ...cheap }).answer(ask, never);
    expect(answer).toEqual({ kind: "text", text: "The gist of it.", ...billed(simulator) });
    const writer = { kind: "model", upstream: "openai", model: "gpt-4o-mini", form: "text", profile: "foreign" };
    expect(notes.map((note) => note.writer)).toEqual([writer]);
  });

  it("is the conversation's own model if no profile is named", async () => {
    const { context, simulator, notes } = await bench();
    const answer = await makeSummarizer(context).answer(makeAsk(), never);
    expect(answer).toEqual({ kind: "text", text: "The gist of it.", ...billed(simulator) });
    expect(notes).toEqual([{ writer: ownWriter, failures: [], ...billed(simulator), milliseconds: 5 }]);
  });

  it.each([
    ["flash", "gemini", "gemini-2.5-flash"],
    ["routed", "router", "anthropic/claude-haiku-4.5"],
  ])("can be a model at any upstream: %s", async (profile, upstream, model) => {
    const { context, simulator, notes } = await bench();
    const answer = await makeSummarizer({ ...context, settings: { summarizer: profile } }).answer(makeAsk(), never);
    expect(answer).toEqual({ kind: "text", text: "The gist of it.", ...billed(simulator) });
    expect(notes[0]?.writer).toEqual({ kind: "model", upstream, model, form: "text", profile });
  });

  it.each([
    ["missing", 'the profile "missing" does not exist or names no upstream and model'],
    ["empty", 'the profile "empty" does not exist or names no upstream and model'],
    ["keyless", 'upstream "keyless" has no key, and the client\'s key belongs to another upstream'],
  ])("is not a profile that cannot be used: %s", async (profile, why) => {
    const { context, simulator, notes } = await bench();
    const answer = await makeSummarizer({ ...context, settings: { summarizer: profile } }).answer(makeAsk(), never);
    expect(answer).toEqual({ kind: "text", text: "The gist of it.", ...billed(simulator) });
    const failures = [{ writer: { kind: "profile", profile }, why }];
    expect(notes).toEqual([{ writer: ownWriter, failures, ...billed(simulator), milliseconds: 5 }]);
    expect(simulator.requests().map(({ model }) => model)).toEqual(["claude-sonnet-4-5"]);
  });

  it("is not an upstream whose circuit is open", async () => {
    const { context, snapshot, simulator, notes } = await bench();
    for (const { circuit } of snapshot.handles.get("openai") ?? [])
      for (let failure = 0; failure < 5; failure++) circuit.failed();
    const answer = await makeSummarizer({ ...context, settings: { summarizer: "foreign" } }).answer(makeAsk(), never);
    expect(answer).toEqual({ kind: "text", text: "The gist of it.", ...billed(simulator) });
    const foreign = { kind: "model", upstream: "openai", model: "gpt-4o-mini", form: "text", profile: "foreign" };
    const why = 'upstream "openai" is paused after repeated failures; try again later';
    expect(notes[0]?.failures).toEqual([{ writer: foreign, why }]);
  });

  it("needs no model if all fail: the summary quotes the conversation's own lines", async () => {
    const { context, simulator, notes } = await bench({ faults: [{ fault: "status=500", times: 9 }] });
    const answer = await makeSummarizer({ ...context, ...cheap }).answer(makeAsk(), never);
    expect(answer).toEqual({ kind: "text", text: await offlineText(), usage: NO_USAGE, costUsd: 0 });
    const why = "it answered with status 500 (upstream.broken)";
    expect(notes).toEqual([
      {
        writer: { kind: "offline" },
        failures: [
          { writer: cheapWriter, why },
          { writer: ownWriter, why },
        ],
        usage: NO_USAGE,
        costUsd: 0,
        milliseconds: 5,
      },
    ]);
    expect(simulator.totals().requests).toBe(4);
  });

  it("runs on a worker if no model is used", async () => {
    const { context } = await bench({ faults: [{ fault: "status=400", times: 9 }] });
    const answerOffline = async () => ({ kind: "text" as const, text: "From another thread." });
    const answer = await makeSummarizer({ ...context, workers: { ...context.workers, answerOffline } }).answer(
      makeAsk(),
      never,
    );
    expect(answer).toEqual({ kind: "text", text: "From another thread.", usage: NO_USAGE, costUsd: 0 });
  });
});

describe("a failed call", () => {
  /** The profile's model misbehaves, the conversation's own does not. */
  const misbehaving = (behavior: string): BenchOptions => ({
    script: ({ model }) => (model.includes("haiku") ? behavior : "say The gist of it."),
  });

  it.each([
    ["a refusal", "refuse", "it refused"],
    ["silence", "empty", "it wrote nothing"],
    ["characters without sense", "garbage", "it wrote unreadable characters"],
    ["an answer of one cut line", `say ${"word ".repeat(2_000)}`, "it was cut off before its first line ended"],
  ])("with %s falls back to the next writer and is counted in the cost", async (_, behavior, why) => {
    const { context, simulator, notes } = await bench(misbehaving(behavior));
    const answer = await makeSummarizer({ ...context, ...cheap }).answer(makeAsk(), never);
    expect(answer).toEqual({ kind: "text", text: "The gist of it.", ...billed(simulator) });
    const failures = [{ writer: cheapWriter, why }];
    expect(notes).toEqual([{ writer: ownWriter, failures, ...billed(simulator), milliseconds: 5 }]);
    expect(simulator.requests().map(({ model }) => model)).toEqual(["claude-haiku-4-5", "claude-sonnet-4-5"]);
  });

  it("with a summary longer than its messages falls back to the next writer", async () => {
    const { context, simulator, notes } = await bench(misbehaving("words 300"));
    const ask = makeAsk(makeTalk(5, 2));
    const answer = await makeSummarizer({ ...context, ...cheap }).answer(ask, never);
    expect(answer).toEqual({ kind: "text", text: "The gist of it.", ...billed(simulator) });
    expect(notes[0]?.failures).toEqual([
      {
        writer: cheapWriter,
        why: expect.stringMatching(/^its summary has \d+ tokens, the replaced messages have \d+$/),
      },
    ]);
  });

  it("with an endless text is used up to the last whole line", async () => {
    const { context, simulator, notes } = await bench({ script: () => "endless" });
    const answer = await makeSummarizer(context).answer(makeAsk(), never);
    expect(answer).toMatchObject({ kind: "text", ...billed(simulator) });
    expect(answer.kind === "text" && answer.text).toMatch(/^Read the existing code .*\.$/s);
    expect(notes[0]?.failures).toEqual([]);
    expect(simulator.requests().map(({ outputTokens }) => outputTokens)).toEqual([400]);
  });

  it("is retried after the wait that a busy upstream asks for", async () => {
    const { context, simulator, notes, waits } = await bench({ faults: [{ fault: "status=429, retry-after=2" }] });
    const answer = await makeSummarizer(context).answer(makeAsk(), never);
    expect(answer).toEqual({ kind: "text", text: "The gist of it.", ...billed(simulator) });
    expect([notes[0]?.failures, waits, simulator.totals().requests]).toEqual([[], [2_000], 2]);
  });

  it.each([
    ["reset-before-headers", [500], /cannot be reached/],
    ["html-error", [500], /^it answered with status 502 \(upstream\.broken\)$/],
    ["status=500", [500], /^it answered with status 500 \(upstream\.broken\)$/],
    ["status=529", [500], /^it answered with status 529 \(upstream\.busy\)$/],
    ["status=400", [], /^it answered with status 400 \(upstream\.refused\)$/],
  ])("for %s is retried once if that may help, then the next writer is used", async (fault, expectedWaits, why) => {
    const { context, simulator, notes, waits } = await bench({ faults: [{ fault, times: expectedWaits.length + 1 }] });
    const answer = await makeSummarizer({ ...context, ...cheap }).answer(makeAsk(), never);
    const last = simulator.requests().at(-1);
    const usage = { ...NO_USAGE, inputTokens: last?.inputTokens, outputTokens: last?.outputTokens };
    expect(answer).toEqual({ kind: "text", text: "The gist of it.", usage, costUsd: last?.costUsd });
    expect(waits).toEqual(expectedWaits);
    const failures = [{ writer: cheapWriter, why: expect.stringMatching(why) }];
    expect(notes[0]).toMatchObject({ writer: ownWriter, failures, usage });
  });

  it.each(["truncated-json", "empty-body", "error-in-200", "reset-after-headers", "close-mid-stream"])(
    "for %s is counted with an estimated cost",
    async (fault) => {
      const { context, simulator, notes, waits } = await bench({ faults: [{ fault, times: 2 }] });
      const answer = await makeSummarizer({ ...context, ...cheap }).answer(makeAsk(), never);
      const counter = await makeTokenCounters().counterFor("claude");
      const estimate = 2 * askTokens(makeAsk(), counter);
      const { inputTokens = 0, costUsd = 0 } = simulator.requests().at(-1) ?? {};
      expect(answer).toMatchObject({ text: "The gist of it.", usage: { inputTokens: inputTokens + estimate } });
      expect(answer.costUsd).toBeCloseTo(costUsd + estimate / 1_000_000, 10);
      expect(waits).toEqual([500]);
      const why = expect.stringMatching(/^its response cannot be read \(upstream\.\w+\)$/);
      expect(notes[0]).toMatchObject({ writer: ownWriter, failures: [{ writer: cheapWriter, why }] });
    },
  );

  it.each(["hang", "stall"])("because of a %s ends at the timeout and is not retried", async (fault) => {
    const { context, simulator, notes } = await bench({ faults: [{ fault }] });
    const answer = await makeSummarizer({ ...context, ...cheap, timeoutMs: 1_000 }).answer(makeAsk(), never);
    expect(answer).toMatchObject({ kind: "text", text: "The gist of it." });
    expect(notes[0]?.failures).toEqual([{ writer: cheapWriter, why: "it did not finish within 1 s" }]);
    expect(simulator.totals().requests).toBe(2);
  });
});

describe("an aborted summariser", () => {
  it("stops at once, uses no other writer and reports it", async () => {
    const { context, simulator, notes } = await bench({ faults: [{ fault: "hang", times: 9 }] });
    const stop = new AbortController();
    const answering = makeSummarizer({ ...context, ...cheap }).answer(makeAsk(), stop.signal);
    await expect.poll(() => simulator.requests().length).toBe(1);
    stop.abort();
    expect(await answering).toEqual({ kind: "failed", why: "it was aborted", usage: NO_USAGE, costUsd: 0 });
    expect(notes[0]).toMatchObject({ failures: [{ writer: cheapWriter, why: "it was aborted" }] });
    expect(simulator.totals().requests).toBe(1);
  });

  it("makes no call if it was aborted before", async () => {
    const { context, simulator } = await bench();
    const answer = await makeSummarizer(context).answer(makeAsk(), AbortSignal.abort());
    expect([answer.kind, simulator.totals().requests]).toEqual(["failed", 0]);
  });
});

describe("a range larger than the summariser's window", () => {
  const small = { "claude-haiku-4-5": { window: 3_000 } };
  const rule = { role: "user" as const, text: "Never touch config/secrets.yaml, whatever happens." };
  const talk = makeTalk(20).with(2, rule);

  it("is shortened to lines from all over it, not cut off", async () => {
    const { context, simulator } = await bench({ models: small });
    const windowOf = () => 3_000;
    const answer = await makeSummarizer({ ...context, ...cheap, windowOf }).answer(makeAsk(talk), never);
    expect(answer).toEqual({ kind: "text", text: "The gist of it.", ...billed(simulator) });
    const text = JSON.stringify(simulator.requests()[0]?.body);
    const expected = ["Never touch config/secrets.yaml", "Step 8", "Step 17"];
    expect(expected.map((words) => text.includes(words))).toEqual([true, true, true]);
  });

  it("is shortened on a worker", async () => {
    const { context, simulator } = await bench({ models: small });
    const windowOf = () => 3_000;
    const narrowAsk = async (ask: Ask) => ({ ...ask, messages: [textMessage("user", "Told on another thread.")] });
    await makeSummarizer({ ...context, ...cheap, windowOf, workers: { ...context.workers, narrowAsk } }).answer(
      makeAsk(talk),
      never,
    );
    expect(JSON.stringify(simulator.requests()[0]?.body)).toContain("[user]\\nTold on another thread.");
  });

  it("is given up if the upstream rejects every size as too long", async () => {
    const { context, simulator, notes } = await bench({ models: { "claude-haiku-4-5": { window: 600 } } });
    const windowOf = ({ model }: { model: string }) => (model === "claude-haiku-4-5" ? 6_000 : 200_000);
    const answer = await makeSummarizer({ ...context, ...cheap, windowOf }).answer(makeAsk(talk), never);
    expect(answer).toEqual({ kind: "text", text: "The gist of it.", ...billed(simulator) });
    expect(notes[0]?.failures).toEqual([{ writer: cheapWriter, why: "it rejected every prompt size as too long" }]);
    expect(simulator.requests().map(({ rejected }) => rejected?.status)).toEqual([400, 400, undefined]);
  });

  it("is shortened further if the upstream rejects it as too long", async () => {
    const { context, simulator, notes } = await bench({ models: small, skew: 2 });
    const windowOf = () => 3_000;
    const answer = await makeSummarizer({ ...context, ...cheap, windowOf }).answer(makeAsk(talk), never);
    expect(answer).toEqual({ kind: "text", text: "The gist of it.", ...billed(simulator) });
    expect(simulator.requests().map(({ rejected }) => rejected?.status)).toEqual([400, undefined]);
    expect(notes[0]).toMatchObject({ writer: cheapWriter, failures: [] });
  });
});

it("makes at most four calls at once", async () => {
  const { context, simulator } = await bench({ faults: [{ fault: "hang", times: 9 }] });
  const stop = new AbortController();
  const summarizer = makeSummarizer(context);
  const answers = Array.from({ length: 9 }, () => summarizer.answer(makeAsk(), stop.signal));
  await expect.poll(() => simulator.requests().length).toBe(4);
  stop.abort();
  expect((await Promise.all(answers)).map(({ kind }) => kind)).toEqual(Array.from({ length: 9 }, () => "failed"));
  expect(simulator.totals().requests).toBe(4);
});

it("never rejects, and logs internal errors", async () => {
  const { context, lines, notes } = await bench();
  const windowOf = () => {
    throw new TypeError("no window");
  };
  const answer = await makeSummarizer({ ...context, windowOf }).answer(makeAsk(), never);
  expect(answer).toEqual({ kind: "text", text: await offlineText(), usage: NO_USAGE, costUsd: 0 });
  expect(notes[0]?.failures).toEqual([{ writer: ownWriter, why: "an internal error occurred" }]);
  expect(lines.join("\n")).toContain("no window");
  const counters = { counterFor: () => Promise.reject(new TypeError("no counter")) };
  const failed = await makeSummarizer({ ...context, counters }).answer(makeAsk(), never);
  expect(failed).toEqual({ kind: "failed", why: "an internal error occurred", usage: NO_USAGE, costUsd: 0 });
});

it("runs all jobs in order, no more at once than allowed", async () => {
  const anyQueue = fc.record({ maxAtOnce: fc.integer({ min: 1, max: 5 }), count: fc.integer({ min: 0, max: 20 }) });
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), anyQueue, async (scheduler, { maxAtOnce, count }) => {
      const queue = makeQueue(maxAtOnce);
      const begun: number[] = [];
      let running = 0;
      let most = 0;
      const results = Array.from({ length: count }, (_, index) =>
        queue(async () => {
          begun.push(index);
          most = Math.max(most, ++running);
          await scheduler.schedule(Promise.resolve());
          running -= 1;
          return index;
        }),
      );
      await scheduler.waitFor(Promise.all(results));
      const all = Array.from({ length: count }, (_, index) => index);
      expect([await Promise.all(results), begun, most]).toEqual([all, all, Math.min(maxAtOnce, count)]);
    }),
  );
});

it("continues after a failure", async () => {
  const queue = makeQueue(1);
  const failing = queue(() => Promise.reject(new Error("no")));
  const next = queue(async () => "yes");
  await expect(failing).rejects.toThrow("no");
  expect(await next).toBe("yes");
});

async function openContext(summarizer?: string) {
  const { context, close } = await openBench({});
  closers.push(close);
  const counter = await counterFor(context.destination, context);
  const offline = async (ask: ReturnType<typeof makeAsk>) => answerOffline(ask, counter);
  return { ...context, settings: summarizer === undefined ? {} : { summarizer }, counter, offline };
}

describe("estimateAsk", () => {
  it("prices the rendered ask and the expected answer", async () => {
    const context = await openContext();
    const ask = makeAsk(undefined, { expectedTokens: 1_000 });
    const { output = 0 } = context.destination.match.model.prices ?? {};
    const withAnswer = estimateAsk(ask, context);
    const without = estimateAsk(makeAsk(undefined, { expectedTokens: 0 }), context);
    expect(withAnswer - without).toBeCloseTo((1_000 * output) / 1_000_000, 9);
    expect(without).toBeGreaterThan(0);
  });

  it("prices the cached part as such if the conversation's own model is asked", async () => {
    const context = await openContext();
    const sent = { ...makeSent(BODIES["anthropic-messages"](makeTalk(10)), "anthropic-messages"), tokens: 100_000 };
    const opened = openBody(sent.body, sent.codec);
    const ask = makeAsk(undefined, { expectedTokens: 0 });
    const { cacheRead = 0 } = context.destination.match.model.prices ?? {};
    const warm = estimateAsk(ask, { ...context, sent, opened });
    expect(warm).toBeGreaterThan((100_000 * cacheRead) / 1_000_000);
    expect(warm).toBeLessThan((101_000 * cacheRead) / 1_000_000);
  });

  it("prices the rendered ask if it cannot be appended to the sent request", async () => {
    const context = await openContext();
    const sent = { ...makeSent(BODIES["anthropic-messages"](makeTalk(2)), "anthropic-messages"), tokens: 100_000 };
    const opened = openBody(sent.body, sent.codec);
    expect(estimateAsk(makeAsk(), { ...context, sent, opened })).toBe(estimateAsk(makeAsk(), context));
  });

  it("learns from the summaries of the conversation's own model", async () => {
    const costs = makeSummaryCosts();
    const estimates: number[] = [];
    const { context, simulator } = await bench({ script: () => `say ${"A much longer summary. ".repeat(30)}` });
    const summarizer = makeSummarizer({ ...context, costs, expect: (usd) => estimates.push(usd) });
    const actual: number[] = [];
    for (let index = 0; index < 4; index++) {
      const before = simulator.totals().costUsd;
      await summarizer.answer(makeAsk(undefined, { expectedTokens: 20 }), never);
      actual.push(simulator.totals().costUsd - before);
    }
    const off = estimates.map((usd, index) => Math.abs(usd / (actual[index] ?? 0) - 1));
    expect(off[0]).toBeGreaterThan(0.2);
    expect(Math.max(...off.slice(1))).toBeLessThan(0.05);
  });

  it("prices only the part of a long ask that fits the writer's window", async () => {
    const context = await openContext();
    const { window, prices } = context.destination.match.model;
    const long = (repeats: number) => makeAsk(makeTalk(10, repeats), { expectedTokens: 0 });
    const most = (window * (prices?.input ?? 0)) / 1_000_000;
    expect(estimateAsk(long(2_000), context)).toBeLessThan(most);
    expect(estimateAsk(long(4_000), context)).toBe(estimateAsk(long(2_000), context));
    expect(estimateAsk(long(2_000), context)).toBeGreaterThan(0.9 * most);
  });

  it("uses the summarizer profile's prices, and returns 0 if they are unknown", async () => {
    const ask = makeAsk(undefined, { expectedTokens: 1_000 });
    const own = estimateAsk(ask, await openContext());
    expect(estimateAsk(ask, await openContext("foreign"))).toBeLessThan(own);
    const context = await openContext();
    const { match } = context.destination;
    const { prices: _, ...unpriced } = match.model;
    const target = { ...context.destination, match: { ...match, model: unpriced } };
    expect(estimateAsk(ask, { ...context, destination: target })).toBe(0);
  });
});
