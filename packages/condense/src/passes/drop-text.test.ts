import type { Message } from "@longhaul/conversation";
import {
  makeAssistant,
  makeConversation,
  makeToolCall,
  makeToolResult,
  makeUser,
} from "@longhaul/conversation/testing";
import { describe, expect, it } from "vitest";
import { makeTestView } from "../testing/context.ts";
import { dropRanges, dropText } from "./drop-text.ts";

const words = (count: number) => "word ".repeat(count * 0.8);
const chat = (count: number): Message[] =>
  Array.from({ length: count }, (_, index) => (index % 2 === 0 ? makeUser(words(100)) : makeAssistant(words(100))));
const plan = (messages: readonly Message[], budgetTokens: number, startShare = 0) =>
  dropText(startShare).plan(makeTestView(makeConversation(messages), budgetTokens));
const ranges = (edits: readonly object[]) =>
  edits.flatMap((edit) => ("from" in edit && "to" in edit ? [[edit.from, edit.to]] : []));

describe("dropText", () => {
  it("drops what the assistant said first, oldest first, and only as much as it must", () => {
    expect(ranges(plan(chat(20), 2_400))).toEqual([
      [1, 2],
      [3, 4],
      [5, 6],
      [7, 8],
    ]);
  });

  it("then drops what the user said, oldest first", () => {
    expect(ranges(plan(chat(40), 2_000)).slice(0, 3)).toEqual([
      [0, 22],
      [23, 24],
      [25, 26],
    ]);
  });

  it("keeps of the user's words what a tenth of the budget holds, newest first, whatever is over", () => {
    const pair = [makeAssistant(makeToolCall("a")), makeUser(makeToolResult("a", words(1_500)))];
    const dropped = (budgetTokens: number) => ranges(plan([...chat(20), ...pair, ...chat(4)], budgetTokens));
    expect(dropped(2_100)).toEqual([
      [0, 16],
      [17, 18],
      [19, 20],
    ]);
    expect(dropped(1_100)).toEqual([
      [0, 18],
      [19, 20],
    ]);
  });

  it("keeps the start its share", () => {
    expect(ranges(plan(chat(40), 2_000, 0.2)).at(0)?.[0]).toBe(2);
  });

  it("keeps messages with tools, and cuts the remarks in them to a beginning", () => {
    const pair = (id: string) => [makeAssistant([words(200), makeToolCall(id)]), makeUser(makeToolResult(id, "ok"))];
    const edits = plan([makeUser("task"), ...pair("a"), ...pair("b"), ...pair("c"), makeUser("Go on.")], 400);
    expect(ranges(edits)).toEqual([]);
    expect(edits).toMatchObject([
      { kind: "splice", at: { message: 1, block: 0 }, splices: [{ from: 200 }] },
      { kind: "splice", at: { message: 3, block: 0 } },
      { kind: "splice", at: { message: 5, block: 0 } },
    ]);
  });

  it("plans nothing where the target is reached", () => {
    expect(plan(chat(4), 10_000)).toEqual([]);
  });
});

const view = makeTestView(makeConversation([makeUser("a".repeat(400)), makeAssistant("ok"), makeUser("go on")]), 1_000);

it("a note takes the place of a range", () => {
  expect(dropRanges(view, [{ from: 0, to: 2 }])).toEqual([
    {
      kind: "replace",
      from: 0,
      to: 2,
      with: [{ role: "user", parts: ["⟨ 2 earlier messages removed to fit the context window ⟩"] }],
      reason: "drop",
    },
  ]);
});

it("a range that its note would outweigh stays", () => {
  expect(dropRanges(view, [{ from: 1, to: 2 }])).toEqual([]);
});
