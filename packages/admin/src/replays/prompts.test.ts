import { textMessage } from "@longhaul/conversation";
import { makeUsage } from "@longhaul/conversation/testing";
import { promptMessages } from "@longhaul/logs";
import { makeRoughCounter } from "@longhaul/models";
import { describe, expect, it } from "vitest";
import { makeSessionReading } from "../testing/readings.ts";
import { accuracyOf, heldDifference, promptsOf, type SentPrompt, sum } from "./prompts.ts";

const counter = makeRoughCounter();

describe("promptsOf", () => {
  it("counts the logged part of each prompt like a whole conversation", () => {
    const plain = makeSessionReading(3);
    const summary = textMessage("user", "So far so good.");
    const calls = plain.calls.map((call, index) =>
      index < 3 ? call : { ...call, prompt: { head: 1, summary, from: 4, to: call.prompt.to } },
    );
    const reading = { ...plain, calls };
    expect(promptsOf(reading, counter).map(({ heldTokens }) => heldTokens)).toEqual(
      calls.map((call) =>
        counter.countConversation({ ...plain.conversation, messages: promptMessages(reading, call) }),
      ),
    );
    expect(promptsOf(reading, counter).map(({ continues }) => continues)).toEqual([
      false,
      true,
      true,
      false,
      true,
      true,
    ]);
  });

  it("includes reported usage and leaves out failed calls", () => {
    const usage = { ...makeUsage(), inputTokens: 1, cacheReadTokens: 20, cacheWriteTokens: 300 };
    const reading = makeSessionReading(1, () => usage);
    const [first, second] = reading.calls;
    const prompts = promptsOf({ ...reading, calls: [first!, { ...second!, outcome: "failed" }] }, counter);
    expect(prompts.map(({ reportedTokens }) => reportedTokens)).toEqual([321]);
    expect(promptsOf(makeSessionReading(1), counter)[0]?.reportedTokens).toBe(0);
  });
});

function makePrompt(heldTokens: number, reportedTokens: number, continues = true): SentPrompt {
  return { call: { outcome: "finished", prompt: { from: 0, to: 0 } }, heldTokens, reportedTokens, continues };
}

describe("accuracyOf", () => {
  it("returns undefined if no usage is reported", () => {
    expect(accuracyOf([makePrompt(100, 0)])).toBeUndefined();
  });

  it("takes content missing in the log from the reports and counts the rest", () => {
    const prompts = [makePrompt(100, 1_100, false), makePrompt(200, 1_210), makePrompt(300, 1_310), makePrompt(900, 0)];
    expect(accuracyOf(prompts)).toEqual({
      calls: 3,
      reportedTokens: 3_620,
      countedTokens: 3_600,
      anchoredTokens: 1_100 + 1_200 + 1_310,
      heldTokens: 620,
      unlogged: { fromStartTokens: 1_000, laterTokens: 0, laterSteps: 0 },
    });
    expect(heldDifference(accuracyOf(prompts)!)).toBeCloseTo(-20 / 620);
  });

  it("distinguishes unlogged content from a counting error", () => {
    const accuracy = accuracyOf([makePrompt(100, 100, false), makePrompt(200, 5_200), makePrompt(300, 5_300)]);
    expect(accuracy?.unlogged).toEqual({ fromStartTokens: 0, laterTokens: 5_000, laterSteps: 1 });
    expect(accuracy?.countedTokens).toBe(accuracy?.reportedTokens);
  });

  it("starts over after a compaction by the client", () => {
    const before = [makePrompt(900, 1_000, false), makePrompt(950, 9_000)];
    const accuracy = accuracyOf([...before, makePrompt(100, 210, false), makePrompt(200, 320)]);
    expect(accuracy?.countedTokens).toBe(1_000 + 9_000 + 210 + 310);
    expect(accuracy?.anchoredTokens).toBe(1_000 + 1_050 + 210 + 310);
    expect(accuracy?.unlogged).toEqual({ fromStartTokens: 100, laterTokens: 7_950, laterSteps: 1 });
  });
});

it("sums numbers", () => {
  expect([sum([]), sum([1, 2, 3])]).toEqual([0, 6]);
});
