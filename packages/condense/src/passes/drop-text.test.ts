import type { Message } from "@longhaul/conversation";
import {
  anyConversation,
  makeAgentLoop,
  makeAssistant,
  makeCompaction,
  makeConversation,
  makeSystem,
  makeToolCall,
  makeToolResult,
  makeUser,
} from "@longhaul/conversation/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { makeView } from "../contract/view.ts";
import { openDraft } from "../edits/draft.ts";
import { apply } from "../rewrite/apply.ts";
import { makeContext, makeTestView } from "../testing/context.ts";
import { dropRanges, dropText, messageKinds, middleRange, shortenOlderTools } from "./drop-text.ts";

const words = (count: number) => "word ".repeat(count * 0.8);
const chat = (count: number): Message[] =>
  Array.from({ length: count }, (_, index) => (index % 2 === 0 ? makeUser(words(100)) : makeAssistant(words(100))));
const plan = (messages: readonly Message[], budgetTokens: number, startShare = 0) =>
  dropText(startShare).plan(makeTestView(makeConversation(messages), budgetTokens));
const ranges = (edits: readonly object[]) =>
  edits.flatMap((edit) => ("from" in edit && "to" in edit ? [[edit.from, edit.to]] : []));

describe("dropText", () => {
  it("drops the assistant's text first, oldest first, and only as much as needed", () => {
    expect(ranges(plan(chat(20), 2_400))).toEqual([
      [1, 2],
      [3, 4],
      [5, 6],
    ]);
  });

  it("then drops the user's text, oldest first", () => {
    expect(ranges(plan(chat(40), 2_000)).slice(0, 3)).toEqual([
      [1, 24],
      [25, 26],
      [27, 28],
    ]);
  });

  it("keeps the newest tenth of the budget of the user's text, whatever the excess", () => {
    const pair = [makeAssistant(makeToolCall("a")), makeUser(makeToolResult("a", words(1_500)))];
    const dropped = (budgetTokens: number) => ranges(plan([...chat(20), ...pair, ...chat(4)], budgetTokens));
    expect(dropped(2_100)).toEqual([
      [1, 16],
      [17, 18],
      [19, 20],
    ]);
    expect(dropped(1_100)).toEqual([
      [1, 18],
      [19, 20],
    ]);
  });

  it("keeps the configured share at the start", () => {
    expect(ranges(plan(chat(40), 2_000, 0.2)).at(0)?.[0]).toBe(2);
  });

  it("keeps messages with tools, and truncates the text in them", () => {
    const pair = (id: string) => [makeAssistant([words(200), makeToolCall(id)]), makeUser(makeToolResult(id, "ok"))];
    const edits = plan([makeUser("task"), ...pair("a"), ...pair("b"), ...pair("c"), makeUser("Go on.")], 400);
    expect(ranges(edits)).toEqual([]);
    expect(edits).toMatchObject([
      { kind: "splice", at: { message: 1, block: 0 }, splices: [{ from: 200 }] },
      { kind: "splice", at: { message: 3, block: 0 } },
      { kind: "splice", at: { message: 5, block: 0 } },
    ]);
  });

  it("plans nothing if the target is reached", () => {
    expect(plan(chat(4), 10_000)).toEqual([]);
  });
});

const view = makeTestView(makeConversation([makeUser("a".repeat(400)), makeAssistant("ok"), makeUser("go on")]), 1_000);

it("drops a range without a trace", () => {
  expect(dropRanges(view, [{ from: 0, to: 2 }])).toEqual([
    { kind: "replace", from: 0, to: 2, with: [], reason: "drop" },
  ]);
});

it("keeps a range that is shorter than the mark of its gap", () => {
  expect(dropRanges(view, [{ from: 1, to: 2 }])).toEqual([]);
});

it("keeps a message of the user at the start", () => {
  const view = makeTestView(makeConversation([...chat(4), makeAssistant(words(100)), makeUser("go on")]), 1_000);
  expect(ranges(dropRanges(view, [{ from: 0, to: 3 }]))).toEqual([[0, 2]]);
  expect(ranges(dropRanges(view, [{ from: 0, to: 1 }]))).toEqual([]);
});

describe("middleRange", () => {
  it("gives the start its share of the target and the end half of it, without splitting pairs", () => {
    const view = makeTestView(makeAgentLoop(20, 400), 1_600);
    const { from, to } = middleRange(view, 0.2);
    const tokens = (start: number, end: number) =>
      view.messageTokens.slice(start, end).reduce((sum, of) => sum + of, 0);
    const room = view.limits.targetTokens - (view.tokens - tokens(0, Infinity));
    expect(tokens(0, from)).toBeLessThanOrEqual(0.2 * room);
    expect(tokens(to, Infinity)).toBeLessThanOrEqual(0.5 * room);
    expect([from, to]).toEqual([3, 33]);
  });

  it("is empty if start and end cover everything", () => {
    const view = makeTestView(makeConversation([makeUser("a"), makeAssistant("b")]), 1_000);
    const { from, to } = middleRange(view, 0.2);
    expect(to - from).toBe(0);
  });

  it("keeps the newest step, however small the target", () => {
    const [task, ...steps] = makeAgentLoop(3, 4_000).messages.slice(0, -1);
    const view = makeTestView(makeConversation([task ?? makeUser(), ...steps]), 1);
    expect(middleRange(view, 0.2)).toEqual({ from: 0, to: steps.length - 1 });
  });

  it("starts and ends at legal cuts", () => {
    fc.assert(
      fc.property(
        anyConversation(),
        fc.nat(800),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (conversation, budget, share) => {
          const view = makeTestView(conversation, budget);
          const { from, to } = middleRange(view, share);
          expect(from).toBeLessThanOrEqual(to);
          expect([view.cuts()[from], view.cuts()[to]]).toEqual([true, true]);
        },
      ),
    );
  });
});

describe("messageKinds", () => {
  it("distinguishes text, tools and messages that are never dropped", () => {
    const messages = [
      makeSystem(),
      makeUser("task"),
      makeAssistant(["I call.", makeToolCall("a")]),
      makeUser(makeToolResult("a")),
      makeAssistant("done"),
      makeAssistant(makeCompaction()),
      makeUser("latest"),
      makeAssistant("fine"),
    ];
    expect(messageKinds(makeTestView(makeConversation(messages), 1_000))).toEqual([
      "fixed",
      "fixed",
      "tool",
      "tool",
      "assistant",
      "fixed",
      "fixed",
      "assistant",
    ]);
  });

  it("never drops a summary of an earlier pass", () => {
    const draft = openDraft(makeConversation([makeUser("a"), makeAssistant("b"), makeUser("c")]));
    const edit = {
      kind: "replace",
      from: 0,
      to: 1,
      with: [{ role: "user", parts: ["so far"] }],
      reason: "summarize",
    } as const;
    const context = makeContext(1_000);
    const noted = apply(draft, [edit], { answers: [], hash: context.hash });
    expect(messageKinds(makeView(noted, context))).toEqual(["fixed", "assistant", "fixed"]);
  });

  it("recognizes XML tools, and does not count client additions as the user's", () => {
    const snapshot = "<environment_details>\nx\n</environment_details>";
    const messages = [
      makeUser(["<task>\nGo.\n</task>", snapshot]),
      makeAssistant("<list_files>\n<path>.</path>\n</list_files>"),
      makeUser(["[list_files for '.'] Result:", "a.ts", snapshot]),
      makeAssistant("Hm."),
      makeUser(["[ERROR] You did not use a tool in your previous response!", snapshot]),
      makeAssistant("Done."),
      makeUser("Thanks."),
    ];
    expect(messageKinds(makeTestView(makeConversation(messages), 1_000))).toEqual([
      "fixed",
      "tool",
      "tool",
      "assistant",
      "assistant",
      "assistant",
      "fixed",
    ]);
  });
});

const [shortenResults, cutResults, shortenArguments] = shortenOlderTools(0);

describe("shortenOlderTools", () => {
  it("shortens the oldest results first, and only as many as needed", () => {
    const view = makeTestView(makeAgentLoop(12, 4_000), 9_000);
    expect(shortenResults?.plan(view).map((edit) => "at" in edit && edit.at.message)).toEqual([
      2, 4, 6, 8, 10, 12, 14, 16,
    ]);
  });

  it("shortens the last of them only as far as needed", () => {
    const messages = [
      makeUser("task"),
      makeAssistant(makeToolCall("a")),
      makeUser(makeToolResult("a", "line of a long file\n".repeat(4_000))),
      ...makeAgentLoop(3, 400).messages,
    ];
    const view = makeTestView(makeConversation(messages), 20_000);
    const draft = apply(openDraft(view.conversation), shortenResults?.plan(view) ?? [], {
      answers: [],
      hash: view.hash,
    });
    const tokens = view.counter.countConversation(draft.conversation);
    expect(tokens).toBeLessThanOrEqual(15_000);
    expect(tokens).toBeGreaterThan(14_000);
  });

  it("shortens them further if that is not enough", () => {
    const view = makeTestView(makeAgentLoop(40, 900), 4_000);
    expect(shortenResults?.plan(view)).toEqual([]);
    expect(cutResults?.plan(view)?.length).toBeGreaterThan(20);
  });

  it("shortens arguments last, and keeps them objects", () => {
    const calls = Array.from({ length: 10 }, (_, index) => [
      makeAssistant(makeToolCall(`c${index}`, { input: { path: "a.ts", content: "x".repeat(2_000) } })),
      makeUser(makeToolResult(`c${index}`, "ok")),
    ]).flat();
    const view = makeTestView(makeConversation([makeUser(), ...calls]), 4_000);
    const edits = shortenArguments?.plan(view) ?? [];
    expect(edits.length).toBeGreaterThan(2);
    expect(edits.every((edit) => edit.kind === "splice" && edit.at.path[0] === "content")).toBe(true);
  });
});
