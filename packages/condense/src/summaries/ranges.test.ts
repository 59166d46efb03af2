import type { JsonObject } from "@longhaul/conversation";
import { pureHash as hash, type Message } from "@longhaul/conversation/advanced";
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
import { fields } from "../contract/setting.ts";
import { parseConfig } from "../contract/strategy.ts";
import { makeView } from "../contract/view.ts";
import { openDraft } from "../edits/draft.ts";
import type { MadeMessage } from "../edits/edit.ts";
import { apply } from "../rewrite/apply.ts";
import { makeContext, makeTestView } from "../testing/context.ts";
import {
  askAboutMessages,
  earlierSummary,
  indexesOf,
  joinRanges,
  middleOf,
  type Range,
  rangesAround,
  rangesOf,
  type SummaryOptions,
  summaryIn,
  summaryNote,
  summaryOptionsOf,
  summarySettings,
  tokensOf,
} from "./ranges.ts";

const CHAT = makeConversation(
  Array.from({ length: 10 }, (_, index) => (index % 2 === 0 ? makeUser(`${index}`) : makeAssistant(`${index}`))),
);
const view = makeTestView(CHAT, 1_000);

describe("middleOf", () => {
  it("excludes the kept ends", () => {
    expect(middleOf(view, { preserveTop: 3, preserveBottom: 2 })).toEqual({ from: 3, to: 8 });
    expect(middleOf(view, { preserveTop: 6, preserveBottom: 6 })).toEqual({ from: 6, to: 6 });
  });

  it("extends the kept ends over tool pairs", () => {
    const loop = makeTestView(makeAgentLoop(5), 1_000);
    expect(middleOf(loop, { preserveTop: 2, preserveBottom: 2 })).toEqual({ from: 3, to: 9 });
  });

  it("lets the kept part open with a user message if no start is kept", () => {
    expect(middleOf(view, { preserveTop: 0, preserveBottom: 3 })).toEqual({ from: 0, to: 6 });
  });

  it("never splits a pair", () => {
    fc.assert(
      fc.property(anyConversation(), fc.nat(8), fc.nat(8), (conversation, preserveTop, preserveBottom) => {
        const any = makeTestView(conversation, 1_000);
        const { from, to } = middleOf(any, { preserveTop, preserveBottom });
        expect([any.cuts()[from], any.cuts()[to]]).toEqual([true, true]);
        expect(from).toBeGreaterThanOrEqual(Math.min(preserveTop, conversation.messages.length));
      }),
    );
  });
});

describe("rangesAround", () => {
  it("keeps a range without the latest user message whole", () => {
    expect(rangesAround(view, { from: 1, to: 8 })).toEqual([{ from: 1, to: 8 }]);
    expect(rangesAround(view, { from: 4, to: 4 })).toEqual([]);
  });

  it("splits a range at the latest user message", () => {
    expect(rangesAround(view, { from: 1, to: 10 })).toEqual([
      { from: 1, to: 8 },
      { from: 9, to: 10 },
    ]);
    expect(rangesAround(view, { from: 8, to: 9 })).toEqual([]);
  });

  it("keeps the whole pair if the user's text is beside a tool result", () => {
    const messages = [
      makeUser("task"),
      makeAssistant("plan"),
      makeAssistant(makeToolCall("a")),
      makeUser([makeToolResult("a"), "and quickly"]),
      makeAssistant("done"),
    ];
    const both = makeTestView(makeConversation(messages), 1_000);
    expect(rangesAround(both, { from: 1, to: 5 })).toEqual([
      { from: 1, to: 2 },
      { from: 4, to: 5 },
    ]);
  });
});

it("tokensOf sums a range", () => {
  expect(tokensOf(view, { from: 1, to: 3 })).toBe((view.messageTokens[1] ?? 0) + (view.messageTokens[2] ?? 0));
});

describe("askAboutMessages about a range", () => {
  const askAbout = (of: typeof view, range: Range, options: SummaryOptions) =>
    askAboutMessages(of, indexesOf(range), options);
  const options = { prompt: "Sum up.", maxTokens: 4_000 };

  it("asks about all messages of a range", () => {
    expect(askAbout(view, { from: 2, to: 6 }, options)).toMatchObject({
      messages: CHAT.messages.slice(2, 6),
      range: { from: 2, to: 6 },
    });
  });

  it("updates an earlier summary with the messages after it", () => {
    const summary = makeSystem("[Earlier conversation summary: so far]");
    const messages = CHAT.messages.toSpliced(2, 1, summary);
    const later = makeTestView(makeConversation(messages), 1_000);
    expect(askAbout(later, { from: 2, to: 6 }, options)).toMatchObject({
      previous: "so far",
      messages: messages.slice(3, 6),
      range: { from: 3, to: 6 },
    });
    expect(askAbout(later, { from: 1, to: 4 }, options)).toMatchObject({
      previous: "so far",
      messages: [messages[1], messages[3]],
    });
    expect(askAbout(later, { from: 2, to: 3 }, options)).toBeUndefined();
  });

  it("limits a summary to a quarter of the target", () => {
    expect(askAbout(makeTestView(CHAT, 8_000), { from: 2, to: 6 }, options)?.maxTokens).toBe(1_500);
    expect(askAbout(makeTestView(CHAT, 100), { from: 2, to: 6 }, options)?.maxTokens).toBe(50);
    expect(askAbout(makeTestView(CHAT, 800_000), { from: 2, to: 6 }, options)?.maxTokens).toBe(4_000);
  });
});

describe("askAboutMessages", () => {
  it("says whether a later message sets a list of to-dos", () => {
    const call = (id: string, name: string, input: JsonObject) => [
      makeAssistant(makeToolCall(id, { name, input })),
      makeUser(makeToolResult(id)),
    ];
    const list = (id: string) => call(id, "TodoWrite", { todos: [{ content: "Write it", status: "pending" }] });
    const plan = call("c", "ExitPlanMode", { plan: "Write it, then test it." });
    const lists = makeTestView(makeConversation([makeUser("go"), ...list("a"), ...list("b"), ...plan]), 1_000);
    const options = { prompt: "Sum up.", maxTokens: 4_000 };
    const isLater = (...indexes: number[]) => askAboutMessages(lists, indexes, options)?.hasLaterList;
    expect([isLater(0, 1, 2), isLater(1, 2, 3, 4)]).toEqual([true, undefined]);
  });

  it("says whether the assistant answers later", () => {
    const chat = makeTestView(makeConversation([makeUser("a"), makeAssistant("b"), makeUser("c")]), 1_000);
    const isLater = (...indexes: number[]) =>
      askAboutMessages(chat, indexes, { prompt: "Sum up.", maxTokens: 4_000 })?.hasLaterAnswer;
    expect([isLater(0), isLater(0, 1)]).toEqual([true, undefined]);
  });

  it("sets the range of contiguous messages only", () => {
    const options = { prompt: "Sum up.", maxTokens: 4_000 };
    const { messages } = CHAT;
    expect(askAboutMessages(view, [2, 3], options)).toMatchObject({
      messages: [messages[2], messages[3]],
      range: { from: 2, to: 4 },
    });
    const apart = askAboutMessages(view, [2, 5], options);
    expect([apart?.messages, apart?.range]).toEqual([[messages[2], messages[5]], undefined]);
    expect(askAboutMessages(view, [], options)).toBeUndefined();
  });
});

describe("indexesOf and rangesOf", () => {
  it("are inverse, with contiguous indexes in one range", () => {
    expect(indexesOf({ from: 2, to: 5 })).toEqual([2, 3, 4]);
    expect(indexesOf({ from: 5, to: 2 })).toEqual([]);
    expect(rangesOf(new Set([1, 2, 3, 7, 9, 10]))).toEqual([
      { from: 1, to: 4 },
      { from: 7, to: 8 },
      { from: 9, to: 11 },
    ]);
  });

  it("join adjacent ranges", () => {
    const parts = [3, 5, 8].map((to, index, ends) => ({ from: ends[index - 1] ?? 0, to }));
    expect(joinRanges([...parts, { from: 9, to: 10 }])).toEqual([
      { from: 0, to: 8 },
      { from: 9, to: 10 },
    ]);
    expect(joinRanges([])).toEqual([]);
  });
});

const read = (settings: object) => parseConfig({ id: "summaries", schema: fields(summarySettings) }, settings);

it("uses the strategy's prompt if the settings have none or a blank one", () => {
  expect(summaryOptionsOf(read({}), "Own.")).toEqual({ prompt: "Own.", maxTokens: 4_000 });
  expect(summaryOptionsOf(read({ prompt: " \n" }), "Own.").prompt).toBe("Own.");
});

it("passes prompt, length and profile on", () => {
  const settings = read({ prompt: " Only names. ", maxSummaryTokens: 300, profile: "cheap" });
  expect(summaryOptionsOf(settings, "Own.")).toEqual({ prompt: "Only names.", maxTokens: 300, profile: "cheap" });
});

const SUMMARY = "[Earlier conversation summary: so far]";

describe("notes", () => {
  it("distinguish a summary from another system message", () => {
    expect(summaryNote("so far")).toEqual({
      role: "system",
      parts: ["[Earlier conversation summary: ", "so far", "]"],
    });
    expect(summaryIn(makeSystem(SUMMARY))).toBe("so far");
    expect(summaryIn(makeUser(SUMMARY))).toBeUndefined();
    expect(summaryIn(makeSystem("Be brief."))).toBeUndefined();
    expect(summaryIn(makeSystem([SUMMARY, "more"]))).toBeUndefined();
  });
});

describe("earlierSummary", () => {
  function summaryOf(message: Message): string | undefined {
    return earlierSummary(makeTestView(makeConversation([message]), 100), 0);
  }

  function madeSummary(made: MadeMessage): string | undefined {
    const draft = openDraft(makeConversation([makeUser("a"), makeAssistant("b")]));
    const edit = { kind: "replace", from: 0, to: 1, with: [made], reason: "summarize" } as const;
    return earlierSummary(makeView(apply(draft, [edit], { answers: [], hash }), makeContext(100)), 0);
  }

  it("reads a summary in the history", () => {
    expect(summaryOf(makeSystem(SUMMARY))).toBe("so far");
    expect(summaryOf({ ...makeAssistant("so far"), extra: { isSummary: true } })).toBe("so far");
  });

  it("reads a summary of an earlier pass in any form", () => {
    expect(madeSummary({ role: "assistant", parts: ["so far"] })).toBe("so far");
    expect(madeSummary(summaryNote("so far"))).toBe("so far");
  });

  it("finds none in ordinary messages, in encrypted blocks, and past the end", () => {
    expect(summaryOf(makeAssistant("so far"))).toBeUndefined();
    expect(summaryOf(makeAssistant(makeCompaction("so far")))).toBeUndefined();
    expect(earlierSummary(makeTestView(makeConversation([makeUser()]), 100), 7)).toBeUndefined();
  });
});
