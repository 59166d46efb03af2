import type { Simulator } from "@longhaul/simulator";
import { afterEach, describe, expect, it } from "vitest";
import {
  type BenchOptions,
  BODIES,
  MODELS,
  makeAsk,
  makeSent,
  makeTalk,
  openBench,
  type Talk,
} from "../testing/summaries.ts";
import { makeSummarizer } from "./make-summarizer.ts";
import type { SummarizerContext } from "./summarizer.ts";
import type { AskForm } from "./summary-costs.ts";

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

const never = new AbortController().signal;
const talk = makeTalk(11);
const ask = makeAsk(talk);

type Wire = keyof typeof BODIES;

interface WarmOptions extends BenchOptions {
  readonly wire: Wire;
  /** Overrides fields of the request's body. */
  readonly body?: object;
  readonly said?: Talk;
}

/** A conversation whose latest request was answered, so that the vendor has it in its cache. */
async function warm({ wire, body = {}, said = talk, ...options }: WarmOptions) {
  const opened = await openBench({ wire, model: MODELS[wire], ...options });
  closers.push(opened.close);
  const sent = makeSent({ ...BODIES[wire](said), ...body }, wire);
  const { destination } = opened.context;
  const outgoing = {
    wire,
    action: "generate",
    method: "POST",
    model: destination.model,
    stream: false,
    ...sent,
  } as const;
  const answer = await destination.handle.connection.send(outgoing, never);
  for await (const _ of answer.body);
  const context: SummarizerContext = { ...opened.context, sent };
  return { ...opened, context, bytes: sent.body };
}

/** Text that only an appended ask contains. */
const APPENDED = "comes from the program that keeps the conversation";

/** Answers only asks of this form. */
function answering(form: AskForm, text: string, otherwise: string): Pick<BenchOptions, "script"> {
  return {
    script: ({ turns }) => {
      const isAppended = turns.at(-1)?.texts.some((said) => said.includes(APPENDED)) === true;
      return isAppended === (form === "appended") ? `say ${text}` : otherwise;
    },
  };
}

/** The amount billed for the requests after the first. */
function billedSince(simulator: Simulator) {
  const since = simulator.requests().slice(1);
  const sum = (value: (request: (typeof since)[number]) => number) => since.reduce((all, each) => all + value(each), 0);
  const reasoningTokens = sum(({ thinkingTokens }) => thinkingTokens);
  return {
    usage: {
      ...(reasoningTokens > 0 && { reasoningTokens }),
      inputTokens: sum(({ inputTokens }) => inputTokens),
      cacheReadTokens: sum(({ cacheReadTokens }) => cacheReadTokens),
      cacheWriteTokens: sum(({ cacheWriteTokens }) => cacheWriteTokens),
      outputTokens: sum(({ outputTokens }) => outputTokens),
    },
    costUsd: expect.closeTo(
      sum(({ costUsd = 0 }) => costUsd),
      10,
    ),
  };
}

describe.each<[Wire]>([["anthropic-messages"], ["openai-chat"], ["openai-responses"], ["gemini"]])(
  "the conversation's own model, asked in %s with its cached request",
  (wire) => {
    it("gets the same bytes with one more message and reads them from its cache", async () => {
      const usage = wire === "openai-chat" ? { stream_options: { include_usage: true } } : {};
      const { context, simulator, bytes, notes } = await warm({
        wire,
        body: usage,
        ...answering("appended", "The gist of it.", "say Go on."),
      });
      const answer = await makeSummarizer(context).answer(ask, never);
      expect(answer).toEqual({ kind: "text", readsAll: true, text: "The gist of it.", ...billedSince(simulator) });
      const [first, second] = simulator.requests();
      const received = JSON.stringify(second?.body);
      expect(Buffer.byteLength(received)).toBe(second?.bytes);
      const end = received.indexOf(APPENDED);
      const before = received.slice(0, received.lastIndexOf(",{", end));
      const sent = new TextDecoder().decode(bytes);
      expect(before.length).toBeGreaterThan(10_000);
      expect(sent.startsWith(before)).toBe(true);
      expect(received.endsWith(sent.slice(before.length))).toBe(true);
      expect(second?.cacheReadTokens).toBeGreaterThan(((first?.inputTokens ?? 0) + (first?.cacheWriteTokens ?? 0)) / 2);
      const writer = {
        kind: "model",
        upstream: context.destination.handle.connection.upstream.id,
        model: MODELS[wire],
      };
      expect(notes).toEqual([
        { writer: { ...writer, form: "appended" }, failures: [], ...billedSince(simulator), milliseconds: 5 },
      ]);
    });

    it("is asked again with the messages rendered if it calls a tool instead", async () => {
      const { context, simulator, notes } = await warm({
        wire,
        ...answering("text", "The gist of it.", 'call read {"path":"a.ts"}'),
      });
      const answer = await makeSummarizer(context).answer(ask, never);
      expect(answer).toMatchObject({ kind: "text", text: "The gist of it." });
      expect(notes[0]).toMatchObject({
        writer: { form: "text" },
        failures: [{ writer: { form: "appended" }, why: "it called a tool instead of answering" }],
      });
      expect(simulator.totals()).toMatchObject({ requests: 3, rejected: 0 });
    });
  },
);

const anthropicCall = { type: "tool_use", id: "toolu_1", name: "read", input: { path: "a.ts" } };
const chatCall = { id: "call_1", type: "function", function: { name: "read", arguments: '{"path":"a.ts"}' } };
const responsesCall = { type: "function_call", call_id: "call_1", name: "read", arguments: '{"path":"a.ts"}' };

/** The end of a request with a fresh tool result. */
const ANSWERED: Readonly<Record<Wire, object>> = {
  "anthropic-messages": {
    messages: [
      ...BODIES["anthropic-messages"](talk).messages,
      { role: "assistant", content: [anthropicCall] },
      { role: "user", content: [{ type: "tool_result", tool_use_id: "toolu_1", content: "const a = 1;" }] },
    ],
  },
  "openai-chat": {
    messages: [
      ...BODIES["openai-chat"](talk).messages,
      { role: "assistant", content: null, tool_calls: [chatCall] },
      { role: "tool", tool_call_id: "call_1", content: "const a = 1;" },
    ],
  },
  "openai-responses": {
    input: [
      ...BODIES["openai-responses"](talk).input,
      responsesCall,
      { type: "function_call_output", call_id: "call_1", output: "const a = 1;" },
    ],
  },
  gemini: {
    contents: [
      ...BODIES.gemini(talk).contents,
      { role: "model", parts: [{ functionCall: { name: "read", args: { path: "a.ts" } } }] },
      { role: "user", parts: [{ functionResponse: { name: "read", response: { output: "const a = 1;" } } }] },
    ],
  },
};

describe("the appended form", () => {
  const wire = "anthropic-messages";

  it.each<[Wire]>([["anthropic-messages"], ["openai-responses"], ["gemini"]])(
    "costs in %s the cached share of the text form and little more",
    async (format) => {
      const said = makeTalk(201);
      const { context } = await warm({ wire: format, said });
      const long = makeAsk(said, { maxTokens: 2_000 });
      const { sent: _, ...cold } = context;
      const appended = await makeSummarizer(context).answer(long, never);
      const written = await makeSummarizer(cold).answer(long, never);
      const { cacheRead = 0, input = 1 } = context.destination.match.model.prices ?? {};
      const share = (appended.costUsd ?? 0) / (written.costUsd ?? 1);
      expect(share).toBeGreaterThan(cacheRead / input);
      expect(share).toBeLessThan(cacheRead / input + 0.03);
    },
  );

  it.each(["anthropic-messages", "openai-chat", "openai-responses", "gemini"] as const)(
    "may follow a tool result in %s",
    async (format) => {
      const script = () => "say The gist of it.";
      const { context, simulator, notes } = await warm({ wire: format, body: ANSWERED[format], script });
      const answer = await makeSummarizer(context).answer(ask, never);
      expect(answer).toMatchObject({ kind: "text", text: "The gist of it." });
      expect(notes[0]).toMatchObject({ writer: { form: "appended" }, failures: [] });
      expect(simulator.totals()).toMatchObject({ requests: 2, rejected: 0 });
    },
  );

  it.each([
    ["refuse", "it refused"],
    ["empty", "it wrote nothing"],
    ["garbage", "it wrote unreadable characters"],
  ])("falls back to the text form after: %s", async (behavior, why) => {
    const { context, simulator, notes } = await warm({ wire, ...answering("text", "The gist of it.", behavior) });
    const answer = await makeSummarizer(context).answer(ask, never);
    expect(answer).toEqual({ kind: "text", text: "The gist of it.", ...billedSince(simulator) });
    const writer = { kind: "model", upstream: "claude", model: "claude-sonnet-4-5", form: "appended" };
    expect(notes[0]?.failures).toEqual([{ writer, why }]);
  });

  it.each(["error-event=529", "no-end", "reset-mid-stream", "malformed-data"])(
    "falls back to the text form after a stream with %s",
    async (fault) => {
      const { context, simulator, notes } = await warm({
        wire,
        script: () => "say The gist of it, told at some length.",
      });
      simulator.inject({ fault, times: 2 });
      const answer = await makeSummarizer(context).answer(ask, never);
      expect(answer).toMatchObject({ kind: "text", text: "The gist of it, told at some length." });
      expect(notes[0]).toMatchObject({ writer: { form: "text" }, failures: [{ writer: { form: "appended" } }] });
      expect(answer.usage?.cacheReadTokens).toBeGreaterThan(0);
    },
  );

  it("stops an endless stream and uses it up to the last whole line", async () => {
    const { context, simulator, notes } = await warm({ wire, body: { max_tokens: 20_000 }, script: () => "endless" });
    const answer = await makeSummarizer(context).answer(ask, never);
    const text = answer.kind === "text" ? answer.text : "";
    expect([text.length > 2_000, text.length <= 400 * 8]).toEqual([true, true]);
    expect(text).toMatch(/^Read the existing code .*\.$/s);
    expect(notes[0]).toMatchObject({ writer: { form: "appended" }, failures: [] });
    expect(simulator.requests()[1]).toMatchObject({ cacheReadTokens: answer.usage?.cacheReadTokens });
  });

  it.each<[string, Partial<SummarizerContext>]>([
    ["the settings name another model", { settings: { summarizer: "cheap" } }],
    ["it does not fit the window", { windowOf: () => 6_300 }],
  ])("is not used if %s", async (_, overrides) => {
    const { context, notes } = await warm({ wire, script: () => "say The gist of it." });
    const answer = await makeSummarizer({ ...context, ...overrides }).answer(ask, never);
    expect(answer).toMatchObject({ kind: "text", text: "The gist of it." });
    expect(notes[0]).toMatchObject({ writer: { form: "text" }, failures: [] });
  });

  it("is used for a profile with the conversation's own model", async () => {
    const { context, notes, simulator } = await warm({ wire, script: () => "say The gist of it." });
    await makeSummarizer({ ...context, settings: { summarizer: "same" } }).answer(ask, never);
    expect(notes[0]).toMatchObject({ writer: { form: "appended", profile: "same" }, failures: [] });
    expect(simulator.totals().requests).toBe(2);
  });
});
