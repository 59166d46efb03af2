import { toolPairs } from "@longhaul/conversation";
import {
  anyMessyConversation,
  makeAssistant,
  makeConversation,
  makeToolCall,
  makeToolResult,
  makeUser,
} from "@longhaul/conversation/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { makeFitting, makeRequestOf } from "../testing/make-fitting.ts";
import { fitCallIds, legalName } from "./call-ids.ts";
import { repairPairs } from "./pairs.ts";

const RULE = { illegal: /[^a-zA-Z0-9_-]/g, maxChars: 64 };

function idsAfter(...ids: readonly string[]): (readonly [string, string])[] {
  const messages = ids.flatMap((id) => [makeAssistant(makeToolCall(id)), makeUser(makeToolResult(id))]);
  const { messages: fitted } = fitCallIds(makeRequestOf(makeConversation(messages)), makeFitting()).conversation;
  return toolPairs(fitted).pairs.map(({ callId, result }) => {
    const block = result && fitted[result.message]?.blocks[result.block];
    return [callId, block?.type === "tool-result" ? block.callId : ""];
  });
}

describe("fitCallIds", () => {
  it("returns the identical request where all ids are legal and different", () => {
    const request = makeRequestOf(
      makeConversation([makeAssistant(makeToolCall("toolu_1")), makeUser(makeToolResult("toolu_1"))]),
    );
    expect(fitCallIds(request, makeFitting())).toBe(request);
    expect(fitCallIds(request, makeFitting({ rules: { callIds: { illegal: /u/g, maxChars: 9 } } }))).not.toBe(request);
  });

  it("tells pairs apart that share an id", () => {
    expect(idsAfter("call_0", "call_0", "call_0")).toEqual([
      ["call_0", "call_0"],
      ["call_0_2", "call_0_2"],
      ["call_0_3", "call_0_3"],
    ]);
  });

  it("spells a pair's id alike on both sides", () => {
    const [pair] = idsAfter("functions.read:0");
    expect(pair?.[0]).toMatch(/^functions_read_0_[0-9a-f]{8}$/);
    expect(pair?.[1]).toBe(pair?.[0]);
  });

  it("makes every id legal and unique, and none depends on what comes after", () => {
    fc.assert(
      fc.property(anyMessyConversation(), (messy) => {
        const messages = repairPairs(messy.messages, { adjacent: true });
        const fit = (count: number) =>
          toolPairs(
            fitCallIds(makeRequestOf(makeConversation(messages.slice(0, count))), makeFitting()).conversation.messages,
          ).pairs;
        const ids = fit(messages.length).map(({ callId }) => callId);
        expect(new Set(ids).size).toBe(ids.length);
        expect(ids.every((id) => /^[a-zA-Z0-9_-]{1,64}$/.test(id))).toBe(true);
        const earlier = fit(messages.length - 1).map(({ callId }) => callId);
        expect(ids.slice(0, earlier.length)).toEqual(earlier);
      }),
    );
  });
});

describe("legalName", () => {
  it("keeps legal names", () => {
    expect(legalName("mcp__github__list_issues", RULE)).toBe("mcp__github__list_issues");
  });

  it("makes any other one legal, and different ones different", () => {
    const names = ["a.b", "a:b", "", "x".repeat(65), `${"x".repeat(64)}y`, "日本"];
    const legal = names.map((name) => legalName(name, RULE));
    expect(new Set(legal).size).toBe(names.length);
    for (const name of legal) expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
  });
});
