import { textMessage } from "@longhaul/conversation";
import { makeConversation } from "@longhaul/conversation/testing";
import { describe, expect, it } from "vitest";
import { type LoggedPrompt, type LogReading, promptMessages } from "./reading.ts";

const [one, two, three, four] = ["one", "two", "three", "four"].map((text) => textMessage("user", text));
const reading: LogReading = {
  format: "pi",
  conversation: makeConversation([one!, two!, three!, four!]),
  calls: [],
  sideCalls: [],
  events: [],
  warnings: [],
};

function sent(prompt: LoggedPrompt) {
  return promptMessages(reading, { outcome: "finished", prompt });
}

describe("promptMessages", () => {
  it("returns everything before the reply without a compaction", () => {
    expect(sent({ from: 0, to: 3 })).toEqual([one, two, three]);
  });

  it("puts the summary between the head and the kept messages", () => {
    const summary = textMessage("user", "two was said");
    expect(sent({ head: 1, summary, from: 2, to: 4 })).toEqual([one, summary, three, four]);
    expect(sent({ summary, from: 3, to: 4 })).toEqual([summary, four]);
    expect(sent({ from: 3, to: 4 })).toEqual([four]);
  });
});
