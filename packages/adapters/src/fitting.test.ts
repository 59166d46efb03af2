import { type Condensation, type Draft, renderMessages } from "@longhaul/condense/advanced";
import { type Conversation, type LonghaulError, type Message, textMessage, toolPairs } from "@longhaul/conversation";
import { findModel, loadCatalog } from "@longhaul/models";
import { describe, expect, it, vi } from "vitest";
import { type FittingOptions, makeFormMemory } from "./contract.ts";
import { makeCalibrations, openFitting } from "./fitting.ts";
import { prefixBreaks } from "./testing/prefix-breaks.ts";

const MODEL = "claude-sonnet-4-5";
const WINDOW = 8_000;

function makeLoop(rounds: number, words = 80): Message[] {
  const round = (step: number): Message[] => [
    {
      role: "assistant",
      blocks: [{ type: "tool-call", id: `call-${step}`, name: "read", input: { path: `${step}.ts` } }],
    },
    {
      role: "user",
      blocks: [
        {
          type: "tool-result",
          callId: `call-${step}`,
          content: [{ type: "text", text: `File ${step}: ${"a line of code; ".repeat(words)}` }],
          isError: false,
        },
      ],
    },
  ];
  return [textMessage("user", "Read them all."), ...Array.from({ length: rounds }, (_, step) => round(step)).flat()];
}

function conversationOf(messages: readonly Message[]): Conversation {
  return { system: [], tools: [], messages };
}

/** Sends a loop turn by turn, as a framework does, and returns each draft that was sent. */
async function sendTurns(rounds: number, options: FittingOptions = {}): Promise<Draft[]> {
  const fit = openFitting({ windowTokens: 4_000, reservedTokens: 500, ...options });
  const all = makeLoop(rounds, 20);
  const sent: Draft[] = [];
  for (let length = 1; length <= all.length; length += 2) {
    sent.push((await fit({ conversation: conversationOf(all.slice(0, length)), model: MODEL })).draft);
  }
  return sent;
}

describe("openFitting", () => {
  it("returns the same conversation if it fits", async () => {
    const conversation = conversationOf(makeLoop(3));
    const { draft } = await openFitting({ windowTokens: WINDOW })({ conversation, model: MODEL });
    expect(draft.conversation).toBe(conversation);
  });

  it("leaves a conversation without messages unchanged", async () => {
    const conversation = conversationOf([]);
    expect((await openFitting()({ conversation, model: MODEL })).draft.conversation).toBe(conversation);
  });

  it.each([
    "middle-out",
    "sliding-window",
    "truncation",
    "smart",
    "lossless",
    "native",
    "sandwich",
    "tree-summary",
  ] as const)("keeps a growing tool loop valid and its prefix stable between condensations: %s", async (strategy) => {
    const condensations: Condensation[] = [];
    const sent = await sendTurns(60, { strategy, onCondensed: (done) => condensations.push(done) });
    expect(condensations.length).toBeGreaterThan(0);
    expect(condensations.length).toBeLessThan(sent.length / 4);
    const prompts = sent.map(({ conversation }) => conversation.messages);
    expect(prefixBreaks(prompts)).toBeLessThanOrEqual(condensations.length);
    for (const { conversation } of sent) {
      const { pairs, orphans } = toolPairs(conversation.messages);
      expect([orphans, pairs.filter(({ result }) => result === undefined)]).toEqual([[], []]);
    }
  });

  it("reuses a form that another instance made, if they share a memory", async () => {
    const memory = makeFormMemory();
    const summarize = vi.fn(async () => ({ kind: "text" as const, text: "They were read." }));
    const call = { model: MODEL, summarize };
    const conversation = conversationOf(makeLoop(30));
    const options = { windowTokens: WINDOW, memory };
    const { draft: first } = await openFitting(options)({ ...call, conversation });
    const { draft: second } = await openFitting(options)({ ...call, conversation });
    expect(summarize).toHaveBeenCalledTimes(1);
    expect(second.conversation).toEqual(first.conversation);
    expect(renderMessages(second.conversation.messages)).toContain("They were read.");
  });

  it("condenses once for concurrent calls", async () => {
    const onCondensed = vi.fn();
    const fit = openFitting({ windowTokens: WINDOW, onCondensed });
    const call = { conversation: conversationOf(makeLoop(30)), model: MODEL };
    const [first, second] = await Promise.all([fit(call), fit(call)]);
    expect(onCondensed).toHaveBeenCalledTimes(1);
    expect(second.draft).toBe(first.draft);
  });

  it("fits concurrent calls with the same messages but other instructions, tools or output limits on their own", async () => {
    const fit = openFitting({ windowTokens: WINDOW });
    const conversation = conversationOf(makeLoop(5));
    const system = textMessage("system", "Be brief. ".repeat(50)).blocks;
    const tools = [{ name: "read", kind: "function" as const, description: "Reads a file. ".repeat(80) }];
    const calls = [
      { conversation, model: MODEL },
      { conversation: { ...conversation, system }, model: MODEL },
      { conversation: { ...conversation, tools }, model: MODEL },
    ];
    const fitted = await Promise.all(calls.map(fit));
    expect(new Set(fitted.map(({ tokens }) => tokens)).size).toBe(3);
    expect(fitted.map(({ draft }) => draft.raw)).toEqual(calls.map((call) => call.conversation));
  });

  it("makes another form for another strategy", async () => {
    const memory = makeFormMemory();
    const reports: string[] = [];
    for (const strategy of ["middle-out", "truncation", "middle-out"] as const) {
      const onCondensed = ({ report }: Condensation) => reports.push(report.strategy);
      const fit = openFitting({ windowTokens: WINDOW, memory, strategy, onCondensed });
      await fit({ conversation: conversationOf(makeLoop(30)), model: MODEL });
    }
    expect(reports).toEqual(["middle-out", "truncation"]);
  });

  it("reserves tokens for the reply", async () => {
    const conversation = conversationOf(makeLoop(10));
    const fit = openFitting({ windowTokens: WINDOW });
    expect((await fit({ conversation, model: MODEL, maxOutputTokens: 100 })).draft.conversation).toBe(conversation);
    const narrow = await openFitting({ windowTokens: WINDOW, reservedTokens: 5_000 })({ conversation, model: MODEL });
    expect(narrow.draft.conversation).not.toBe(conversation);
  });

  it("condenses from the threshold on", async () => {
    const conversation = conversationOf(makeLoop(10));
    const early = await openFitting({ windowTokens: WINDOW, thresholdPercent: 20 })({ conversation, model: MODEL });
    expect(early.draft.conversation).not.toBe(conversation);
  });

  it("learns the vendor's token count", async () => {
    const onCondensed = vi.fn();
    const fit = openFitting({ windowTokens: WINDOW, onCondensed });
    const call = { conversation: conversationOf(makeLoop(10)), model: MODEL };
    (await fit(call)).learn(9_000);
    expect(onCondensed).not.toHaveBeenCalled();
    const grown = { ...call, conversation: conversationOf(makeLoop(11)) };
    await fit(grown);
    expect(onCondensed).toHaveBeenCalledTimes(1);
  });

  it("reserves tokens that the vendor counted beyond the sent messages of an earlier prompt", async () => {
    const condensations: Condensation[] = [];
    const fit = openFitting({
      windowTokens: WINDOW,
      reservedTokens: 500,
      onCondensed: (done) => condensations.push(done),
    });
    const call = { conversation: conversationOf(makeLoop(10)), model: MODEL };
    await fit(call);
    expect(condensations).toHaveLength(0);
    await fit({ ...call, reported: { tokens: 5_000, messages: 1 } });
    expect(condensations).toHaveLength(1);
    const sent = condensations[0]?.report.tokensAfter ?? 0;
    const messages = call.conversation.messages.length;
    const grown = { ...call, conversation: conversationOf(makeLoop(14)) };
    await fit({ ...grown, reported: { tokens: sent, messages } });
    expect(condensations).toHaveLength(1);
    await fit({ ...grown, reported: { tokens: sent + 5_500, messages } });
    expect(condensations).toHaveLength(2);
  });

  it("ignores a report of a small part of our count, which is about another prompt", async () => {
    const onCondensed = vi.fn();
    const conversation = conversationOf(makeLoop(40));
    const reported = { tokens: 1, messages: conversation.messages.length };
    await openFitting({ windowTokens: WINDOW, onCondensed })({ conversation, model: MODEL, reported });
    expect(onCondensed).toHaveBeenCalledTimes(1);
  });

  it("does not learn from a condensed conversation", async () => {
    const condensations: Condensation[] = [];
    const fit = openFitting({ windowTokens: WINDOW, onCondensed: (each) => void condensations.push(each) });
    const long = { conversation: conversationOf(makeLoop(40)), model: MODEL };
    (await fit({ ...long, conversation: conversationOf(makeLoop(10)) })).learn(3_000);
    for (let reply = 0; reply < 5; reply++) {
      const { draft, learn } = await fit(long);
      expect(draft.conversation).not.toBe(long.conversation);
      learn((condensations[0]?.report.tokensAfter ?? 0) * 0.7);
    }
    await fit({ ...long, conversation: conversationOf(makeLoop(40, 81)) });
    const [first = 0, second = 0] = condensations.map(({ report }) => report.tokensBefore);
    expect(Math.abs(second / first - 81 / 80)).toBeLessThan(0.01);
  });

  it("refuses a conversation that cannot fit, with the excess and advice", async () => {
    const conversation = conversationOf([textMessage("user", "word ".repeat(10_000))]);
    const fitted = openFitting({ windowTokens: 2_000, reservedTokens: 500 })({ conversation, model: MODEL });
    const error: LonghaulError = await fitted.then(
      () => expect.unreachable(),
      (thrown) => thrown,
    );
    const tokens = error.overflow?.actualTokens ?? 0;
    expect(error.code).toBe("request.too-large");
    expect(error.message).toMatch(/does not fit claude-sonnet-4-5.*shorten the latest messages/);
    const [all, over] = [tokens, tokens - (2_000 - 500 - 100)].map((count) => count.toLocaleString("en"));
    expect(error.message).toContain(`has ${all} tokens, ${over} over the limit of 1,400`);
  });

  it("leaves a conversation of any length unchanged with full-history", async () => {
    const conversation = conversationOf(makeLoop(30));
    const fit = openFitting({ windowTokens: 2_000, strategy: "full-history", thresholdPercent: 50 });
    expect((await fit({ conversation, model: MODEL })).draft.conversation).toBe(conversation);
  });

  it("accepts a custom strategy", async () => {
    const { findStrategy } = await import("@longhaul/condense/advanced");
    const own = { ...findStrategy("middle-out"), id: "mine", thresholdPercent: 10 };
    const onCondensed = vi.fn();
    const conversation = conversationOf(makeLoop(10));
    await openFitting({ windowTokens: WINDOW, strategy: own, onCondensed })({ conversation, model: MODEL });
    expect(onCondensed.mock.calls[0]?.[0].report.strategy).toBe("mine");
  });
});

const { model: claude } = findModel(loadCatalog(), "claude-sonnet-4-5");
const sample = { estimated: 1_000, reported: 1_100, hasMedia: false };

describe("makeCalibrations", () => {
  it("returns no ratio for a model before its first sample", () => {
    const calibrations = makeCalibrations();
    calibrations.learn("a", claude, { ...sample, hasMedia: true });
    calibrations.learn("a", claude, { ...sample, reported: 9_000 });
    expect(calibrations.ratio("a")).toBeUndefined();
    calibrations.learn("a", claude, sample);
    expect(calibrations.ratio("a")).toBeCloseTo(1.32);
    expect(calibrations.ratio("b")).toBeUndefined();
  });

  it("evicts the least recently used model", () => {
    const calibrations = makeCalibrations(2);
    for (const id of ["a", "b", "a", "c"]) calibrations.learn(id, claude, sample);
    expect(["a", "b", "c"].map((id) => calibrations.ratio(id) !== undefined)).toEqual([true, false, true]);
  });
});
