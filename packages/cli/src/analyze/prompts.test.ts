import { textMessage } from "@longhaul/conversation";
import { makeUsage } from "@longhaul/conversation/testing";
import { promptMessages } from "@longhaul/logs";
import { makeRoughCounter } from "@longhaul/models";
import { describe, expect, it } from "vitest";
import { makeSessionReading } from "../testing/readings.ts";
import { promptsOf } from "./prompts.ts";

const counter = makeRoughCounter();

describe("promptsOf", () => {
  it("counts what the log holds of each prompt as a whole would be counted", () => {
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

  it("has what the log reports, and leaves out calls that failed", () => {
    const usage = { ...makeUsage(), inputTokens: 1, cacheReadTokens: 20, cacheWriteTokens: 300 };
    const reading = makeSessionReading(1, () => usage);
    const [first, second] = reading.calls;
    const prompts = promptsOf({ ...reading, calls: [first!, { ...second!, outcome: "failed" }] }, counter);
    expect(prompts.map(({ reportedTokens }) => reportedTokens)).toEqual([321]);
    expect(promptsOf(makeSessionReading(1), counter)[0]?.reportedTokens).toBe(0);
  });
});
