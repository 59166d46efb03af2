import { makeAgentLoop, makeAssistant, makeToolCall, makeToolResult, makeUser } from "@longhaul/conversation/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { askFor, renderAsk, renderMessages } from "../summaries/ask.ts";
import { SUMMARY_PROMPT } from "../summaries/prompts.ts";
import { anySession } from "../testing/any-session.ts";
import { makeCounter } from "../testing/context.ts";
import { narrowAsk } from "./narrow-ask.ts";

const counter = makeCounter();
const { messages } = makeAgentLoop(40, 2_000);
const ask = askFor(
  { messages, prompt: SUMMARY_PROMPT, maxTokens: 1_000, range: { from: 0, to: messages.length } },
  counter,
);
const tokensOf = (some: typeof ask) => counter.countText(renderAsk(some)) + some.maxTokens;

describe("narrowAsk", () => {
  it("returns the identical ask if it fits", () => {
    expect(narrowAsk(ask, { counter, windowTokens: Math.ceil(tokensOf(ask) / 0.95) + 1 })).toBe(ask);
  });

  it("fits the window, uses most of it, and changes only the messages", () => {
    const windowTokens = Math.floor(tokensOf(ask) / 4);
    const narrow = narrowAsk(ask, { counter, windowTokens });
    expect(tokensOf(narrow)).toBeLessThanOrEqual(windowTokens);
    expect(tokensOf(narrow)).toBeGreaterThan(0.8 * windowTokens);
    expect({ ...narrow, messages: [] }).toEqual({ ...ask, messages: [] });
    expect(narrowAsk(ask, { counter, windowTokens })).toEqual(narrow);
  });

  it("keeps parts of the start, the middle and the end", () => {
    const rules = [7, 31, 55].map(
      (serial) => `Never rename the file src/module-${serial}.ts, whatever the linter says.`,
    );
    const talk = Array.from({ length: 60 }, (_, step) => [
      makeAssistant([`I now change \`step${step}\` in src/module-${step}.ts.`, makeToolCall(`c${step}`)]),
      makeUser(makeToolResult(`c${step}`, `line of a listing without meaning\n`.repeat(40))),
    ]);
    for (const [index, rule] of rules.entries()) talk.splice([7, 31, 55][index]!, 0, [makeUser(rule)]);
    const long = { ...ask, messages: talk.flat() };
    const text = renderMessages(narrowAsk(long, { counter, windowTokens: Math.floor(tokensOf(long) / 5) }).messages);
    for (const rule of rules) expect(text).toContain(rule);
    for (const step of [0, 30, 59]) expect(text).toContain(`src/module-${step}.ts`);
  });

  it("shortens an earlier summary and the answer if they alone would fill the window", () => {
    const previous = Array.from({ length: 400 }, (_, line) => `In step ${line} src/file-${line}.ts was changed.`).join(
      "\n",
    );
    const narrow = narrowAsk({ ...ask, previous, maxTokens: 4_000 }, { counter, windowTokens: 3_000 });
    expect(narrow.maxTokens).toBe(750);
    expect(tokensOf(narrow)).toBeLessThanOrEqual(3_000);
    expect(narrow.previous).toContain("was changed.");
  });

  it("throws if the window does not hold the instructions", () => {
    expect(() => narrowAsk(ask, { counter, windowTokens: 100 })).toThrow(
      "the summarizer's window of 100 tokens is too small for its instructions",
    );
  });

  it("fits every window that holds the instructions, and is never empty", () => {
    const least = Math.ceil((counter.countText(ask.instructions) + 40) / 0.7);
    fc.assert(
      fc.property(anySession(30), fc.integer({ min: least, max: 8_000 }), (session, windowTokens) => {
        const narrow = narrowAsk({ ...ask, messages: session.messages }, { counter, windowTokens });
        expect(tokensOf(narrow)).toBeLessThanOrEqual(windowTokens);
        expect(renderMessages(narrow.messages).trim()).not.toBe("");
      }),
    );
  });
});
