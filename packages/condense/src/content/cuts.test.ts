import { toolPairs } from "@longhaul/conversation";
import {
  anyConversation,
  anyMessyConversation,
  makeAssistant,
  makeThinking,
  makeToolCall,
  makeToolResult,
  makeUser,
} from "@longhaul/conversation/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { legalCuts, nearestCut } from "./cuts.ts";

const LOOP = [
  makeUser(),
  makeAssistant([makeToolCall("a"), makeToolCall("b")]),
  makeUser(makeToolResult("a")),
  makeUser(makeToolResult("b")),
  makeAssistant(),
];

describe("legalCuts", () => {
  it("allows no cut between a call and its last result", () => {
    expect(legalCuts(LOOP)).toEqual([true, true, false, false, true, true]);
  });

  it("allows no cut between a message with only reasoning and the next one", () => {
    expect(legalCuts([makeUser(), makeAssistant(makeThinking()), makeAssistant()])).toEqual([true, true, false, true]);
  });

  it("keeps linked messages together", () => {
    const messages = [makeUser(), makeAssistant(), makeUser(), makeAssistant()];
    expect(legalCuts(messages, [{ from: 1, to: 2 }])).toEqual([true, true, false, true, true]);
  });

  it("allows both ends and no cut that separates a pair", () => {
    fc.assert(
      fc.property(fc.oneof(anyConversation(), anyMessyConversation()), ({ messages }) => {
        const cuts = legalCuts(messages);
        expect(cuts).toHaveLength(messages.length + 1);
        expect([cuts[0], cuts.at(-1)]).toEqual([true, true]);
        for (const { call, result } of toolPairs(messages).pairs) {
          if (result === undefined) continue;
          expect(cuts.slice(call.message + 1, result.message + 1)).not.toContain(true);
        }
      }),
    );
  });
});

describe("nearestCut", () => {
  const legal = legalCuts(LOOP);

  it("searches down or up for a legal cut", () => {
    expect([nearestCut(legal, 3, "down"), nearestCut(legal, 2, "up"), nearestCut(legal, 4, "down")]).toEqual([1, 4, 4]);
  });

  it("stays within the conversation", () => {
    expect([nearestCut(legal, -3, "down"), nearestCut(legal, 99, "up")]).toEqual([0, 5]);
  });
});
