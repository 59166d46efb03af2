import { type Message, toolPairs } from "@longhaul/conversation";
import {
  anyConversation,
  anyMessyConversation,
  makeAssistant,
  makeConversation,
  makeOpaque,
  makeSystem,
  makeToolCall,
  makeToolResult,
  makeUser,
} from "@longhaul/conversation/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { collectWarnings } from "../codec/rules.ts";
import { makeContext, makeRequestOf } from "../testing/make-context.ts";
import { adaptCallIds, legalName, MISSING_RESULT, repairPairs } from "./pairs.ts";

const ADJACENT = { adjacent: true };
const ANYWHERE = { adjacent: false };

describe("repairPairs", () => {
  it("returns the identical messages if every call has its result in place", () => {
    fc.assert(
      fc.property(anyConversation(), ({ messages }) => {
        expect(repairPairs(messages, ADJACENT)).toBe(messages);
        expect(repairPairs(messages, ANYWHERE)).toBe(messages);
      }),
    );
  });

  it("leaves no call without a result and no result without a call, for any input", () => {
    fc.assert(
      fc.property(anyMessy(), fc.boolean(), ({ messages }, adjacent) => {
        const { pairs, orphans } = toolPairs(repairPairs(messages, { adjacent }));
        expect(orphans).toEqual([]);
        expect(pairs.filter(({ result }) => result === undefined)).toEqual([]);
      }),
    );
  });

  it("puts every result directly after its calls if they must be adjacent", () => {
    fc.assert(
      fc.property(anyMessy(), ({ messages }) => {
        const repaired = repairPairs(messages, ADJACENT);
        for (const { call, result } of toolPairs(repaired).pairs) {
          expect(isAdjacent(repaired, call.message, result)).toBe(true);
        }
      }),
    );
  });

  it("invents no result for an opaque call, and keeps an opaque result without its call", () => {
    const opaque = (side: "call" | "result", id: string) => ({ ...makeOpaque(`computer_${side}`), pair: { side, id } });
    const messages = [makeAssistant(opaque("call", "a")), makeUser(opaque("result", "b"))];
    expect([repairPairs(messages, ADJACENT), repairPairs(messages, ANYWHERE)]).toEqual([messages, messages]);
  });

  it("changes nothing the second time", () => {
    fc.assert(
      fc.property(anyMessy(), fc.boolean(), ({ messages }, adjacent) => {
        const once = repairPairs(messages, { adjacent });
        expect(repairPairs(once, { adjacent })).toBe(once);
      }),
    );
  });

  it("adds an error result for a call without one", () => {
    const messages = [makeUser("Go."), makeAssistant(makeToolCall("a")), makeUser("Never mind.")];
    const failed = makeToolResult("a", MISSING_RESULT, { name: "read_file", isError: true });
    expect(repairPairs(messages, ADJACENT)).toEqual([messages[0], messages[1], makeUser(failed), messages[2]]);
    expect(repairPairs(messages.slice(0, 2), ADJACENT)).toEqual([messages[0], messages[1], makeUser(failed)]);
  });

  it("drops a result without a call, and the message if it contains nothing else", () => {
    const messages = [makeUser([makeToolResult("x"), "Hi."]), makeAssistant("Hi."), makeUser(makeToolResult("y"))];
    expect(repairPairs(messages, ADJACENT)).toEqual([makeUser("Hi."), messages[1]]);
  });

  it("moves results before other content of their message", () => {
    const messages = [makeAssistant(makeToolCall("a")), makeSystem("Note."), makeUser(["And:", makeToolResult("a")])];
    expect(repairPairs(messages, ADJACENT)).toEqual([
      messages[0],
      makeUser(makeToolResult("a")),
      makeSystem("Note."),
      makeUser("And:"),
    ]);
    expect(repairPairs(messages, ANYWHERE)).toBe(messages);
  });

  it("moves back a result that follows a later reply", () => {
    const messages = [
      makeAssistant(makeToolCall("a")),
      makeUser("?"),
      makeAssistant("Wait."),
      makeUser(makeToolResult("a")),
    ];
    expect(repairPairs(messages, ADJACENT)).toEqual([
      messages[0],
      makeUser(makeToolResult("a")),
      makeUser("?"),
      makeAssistant("Wait."),
    ]);
  });

  it("warns about each repair", () => {
    const { warn, warnings } = collectWarnings();
    repairPairs([makeAssistant(makeToolCall("a")), makeUser(makeToolResult("b"))], { adjacent: true, warn });
    expect(warnings().map(({ feature, action }) => [feature, action])).toEqual([
      ["tool-result.orphan", "dropped"],
      ["tool-call.result", "changed"],
    ]);
  });
});

/** Messy, but with calls only in assistant messages and results only in user messages; others are dropped before pairs are repaired. */
function anyMessy(): fc.Arbitrary<{ readonly messages: readonly Message[] }> {
  return anyMessyConversation().map(({ messages }) => ({
    messages: messages.map((message) => ({
      ...message,
      blocks: message.blocks.filter(({ type }) => {
        if (type === "tool-call") return message.role === "assistant";
        return type !== "tool-result" || message.role === "user";
      }),
    })),
  }));
}

function isAdjacent(messages: readonly Message[], from: number, result?: { message: number; block: number }): boolean {
  if (result === undefined) return false;
  const role = messages[from]?.role;
  const after = messages.slice(from + 1).findIndex((message) => message.role !== role) + from + 1;
  const before = messages.slice(after, result.message).flatMap(({ blocks }) => blocks);
  const own = messages[result.message]?.blocks.slice(0, result.block) ?? [];
  return [...before, ...own].every(({ type }) => type === "tool-result");
}

const RULE = { illegal: /[^a-zA-Z0-9_-]/g, maxChars: 64 };

function idsAfter(...ids: readonly string[]): (readonly [string, string])[] {
  const messages = ids.flatMap((id) => [makeAssistant(makeToolCall(id)), makeUser(makeToolResult(id))]);
  const { messages: adapted } = adaptCallIds(makeRequestOf(makeConversation(messages)), makeContext()).conversation;
  return toolPairs(adapted).pairs.map(({ callId, result }) => {
    const block = result && adapted[result.message]?.blocks[result.block];
    return [callId, block?.type === "tool-result" ? block.callId : ""];
  });
}

describe("adaptCallIds", () => {
  it("returns the identical request if all ids are legal and unique", () => {
    const request = makeRequestOf(
      makeConversation([makeAssistant(makeToolCall("toolu_1")), makeUser(makeToolResult("toolu_1"))]),
    );
    expect(adaptCallIds(request, makeContext())).toBe(request);
    expect(adaptCallIds(request, makeContext({ rules: { callIds: { illegal: /u/g, maxChars: 9 } } }))).not.toBe(
      request,
    );
  });

  it("gives pairs that share an id different ids", () => {
    expect(idsAfter("call_0", "call_0", "call_0")).toEqual([
      ["call_0", "call_0"],
      ["call_0_2", "call_0_2"],
      ["call_0_3", "call_0_3"],
    ]);
  });

  it("changes a pair's id in both the call and the result", () => {
    const [pair] = idsAfter("functions.read:0");
    expect(pair?.[0]).toMatch(/^functions_read_0_[0-9a-f]{8}$/);
    expect(pair?.[1]).toBe(pair?.[0]);
  });

  it("makes every id legal, unique and independent of later messages", () => {
    fc.assert(
      fc.property(anyMessyConversation(), (messy) => {
        const messages = repairPairs(messy.messages, { adjacent: true });
        const adapt = (count: number) =>
          toolPairs(
            adaptCallIds(makeRequestOf(makeConversation(messages.slice(0, count))), makeContext()).conversation
              .messages,
          ).pairs;
        const ids = adapt(messages.length).map(({ callId }) => callId);
        expect(new Set(ids).size).toBe(ids.length);
        expect(ids.every((id) => /^[a-zA-Z0-9_-]{1,64}$/.test(id))).toBe(true);
        const earlier = adapt(messages.length - 1).map(({ callId }) => callId);
        expect(ids.slice(0, earlier.length)).toEqual(earlier);
      }),
    );
  });
});

describe("legalName", () => {
  it("keeps legal names", () => {
    expect(legalName("mcp__github__list_issues", RULE)).toBe("mcp__github__list_issues");
  });

  it("makes any other name legal, and keeps different names different", () => {
    const names = ["a.b", "a:b", "", "x".repeat(65), `${"x".repeat(64)}y`, "日本"];
    const legal = names.map((name) => legalName(name, RULE));
    expect(new Set(legal).size).toBe(names.length);
    for (const name of legal) expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
  });
});
