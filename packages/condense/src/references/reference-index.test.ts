import { pureHash as hash, type Message } from "@longhaul/conversation";
import { makeAssistant, makeToolCall, makeToolResult, makeUser } from "@longhaul/conversation/testing";
import { describe, expect, it } from "vitest";
import { keptSlot, type SentMessages, type Slot } from "../edits/draft.ts";
import { makeCounter } from "../testing/counter.ts";
import { openReferenceIndex } from "./reference-index.ts";

const TEXT = Array.from({ length: 6 }, (_, line) => `a line of the listing that is long enough, ${line}`).join("\n");
const rules = { sourcesIn: () => () => true, consolidates: true, counter: makeCounter(), hash };

function listings(count: number): Message[] {
  const steps = Array.from({ length: count }, (_, step) => [
    makeAssistant(makeToolCall(`c${step}`, { name: "bash", input: { command: "ls" } })),
    makeUser(makeToolResult(`c${step}`, TEXT)),
  ]);
  return [makeUser("List it."), ...steps.flat()];
}

/** Messages behind a summary, which stands in the place of raw ones. */
function behindSummary(messages: readonly Message[], summarized: number): SentMessages {
  const made: Slot = { kind: "made", message: makeUser("a summary"), from: 0, to: summarized };
  const slots = [
    made,
    ...messages.slice(summarized).map((message, offset) => keptSlot(message, summarized + offset, [])),
  ];
  return { count: slots.length, slotAt: (position) => slots[position], rawAt: (index) => messages[index] };
}

describe("openReferenceIndex", () => {
  it("opens an index that points with raw places, and names positions as they are sent", () => {
    const index = openReferenceIndex();
    const sent = behindSummary(listings(3), 3);
    expect(index.planFrom(3, sent, rules)).toEqual([
      {
        kind: "splice",
        at: { message: 4, block: 0, path: [0] },
        reason: "consolidate",
        splices: [
          {
            from: 0,
            to: TEXT.length,
            text: "⟨ Consolidated 2 operations: bash ls gave the same result as in message #3 ⟩",
            reference: { target: { message: 4, block: 0, path: [0] }, from: 0, to: TEXT.length },
          },
        ],
      },
    ]);
    expect(index.messages).toBe(3);
  });

  it("counts on where an operation gives the same again", () => {
    const index = openReferenceIndex();
    const texts = [3, 4, 5].map((count) => {
      const messages = listings(count);
      const slots = messages.map((message, position) => keptSlot(message, position, []));
      const sent = { count: slots.length, slotAt: (at: number) => slots[at], rawAt: (at: number) => messages[at] };
      return index.planFrom(slots.length - 3, sent, rules).at(-1)?.splices[0]?.text;
    });
    expect(texts).toEqual([3, 4, 5].map((times) => expect.stringContaining(`Consolidated ${times} operations`)));
  });

  it("is as before where a message cannot be had", () => {
    const index = openReferenceIndex();
    const sent = behindSummary(listings(3), 3);
    index.planFrom(3, sent, rules);
    expect(() => index.planFrom(3, { ...sent, count: 99 }, rules)).toThrow("there is no message 5 to refer to");
    expect(index.planFrom(3, sent, rules)).toEqual(openReferenceIndex().planFrom(3, sent, rules));
  });
});
