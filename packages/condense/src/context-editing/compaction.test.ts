import { type Compact, type Conversation, pureHash as hash, type Message } from "@longhaul/conversation/advanced";
import {
  makeAgentLoop,
  makeAssistant,
  makeCompaction,
  makeConversation,
  makeToolCall,
  makeToolResult,
  makeUser,
} from "@longhaul/conversation/testing";
import { describe, expect, it } from "vitest";
import { openDraft } from "../edits/draft.ts";
import type { Answer, Ask } from "../edits/edit.ts";
import { runPasses } from "../engine/run.ts";
import { apply } from "../rewrite/apply.ts";
import { finish, makeContext, makeTestView, shortAnswer } from "../testing/context.ts";
import { compactPass, hasSummary, resumeEdits, summaryOf } from "./compaction.ts";

const LONG = "What was said here takes some room. ".repeat(10);
const chat = (count: number): Conversation =>
  makeConversation(
    Array.from({ length: count }, (_, index) =>
      index % 2 === 0 ? makeUser(`${index} ${LONG}`) : makeAssistant(`${index} ${LONG}`),
    ),
  );

const makeEdit = (fields: Partial<Compact> = {}): Compact => ({
  kind: "compact",
  overTokens: 100,
  pausesAfter: false,
  ...fields,
});

function compact(
  conversation: Conversation,
  fields: Partial<Compact> = {},
  answer: (ask: Ask) => Answer = shortAnswer,
) {
  const passes = { passes: [compactPass(makeEdit(fields))], stopsAtTarget: false };
  const { result, asks } = finish(
    runPasses(openDraft(conversation), passes, { ...makeContext(1_000), dropsTask: true }),
    answer,
  );
  return { messages: result.draft.conversation.messages, asks, pass: result.passes[0] };
}

function resume(messages: readonly Message[]): readonly Message[] {
  const conversation = makeConversation(messages);
  return apply(openDraft(conversation), resumeEdits(makeTestView(conversation, 1_000)), { answers: [], hash })
    .conversation.messages;
}

const summary = (text: string) => makeUser(`Summary of the conversation so far:\n\n${text}`);

describe("compactPass", () => {
  it("replaces everything before the user's message with one summary", () => {
    const { messages } = chat(9);
    const compacted = compact(chat(9));
    expect(compacted.messages).toEqual([summary("A summary of 9 messages."), messages[8]]);
    expect(compacted.asks).toMatchObject([{ messages, range: { from: 0, to: 9 } }]);
  });

  it("keeps the user's message and the results to answer in an agent loop", () => {
    const { messages } = makeAgentLoop(6);
    const open = messages.slice(0, -1);
    expect(compact(makeConversation(open)).messages).toEqual([
      open[0],
      summary("A summary of 13 messages."),
      ...open.slice(-2),
    ]);
  });

  it("replaces messages before and after the user's message with one summary", () => {
    const task = makeAgentLoop(4).messages.slice(0, -1);
    const { messages, asks } = compact(makeConversation([...chat(4).messages, ...task]));
    expect(messages).toEqual([task[0], summary("A summary of 13 messages."), ...task.slice(-2)]);
    expect(asks).toHaveLength(1);
  });

  it("starts with the user, also if the user's text comes with results", () => {
    const { messages } = makeAgentLoop(6);
    const remark = [makeAssistant(makeToolCall("r")), makeUser([makeToolResult("r"), "Go on."])];
    const task = makeAgentLoop(4).messages.slice(1, -1);
    const history = [...messages.slice(0, -1), ...remark, ...task];
    expect(compact(makeConversation(history)).messages).toEqual([
      summary("A summary of 23 messages."),
      ...remark,
      ...task.slice(-2),
    ]);
  });

  it("updates an earlier summary", () => {
    const { messages } = chat(9);
    const made = { role: "user", parts: ["So far."] } as const;
    const earlier = apply(
      openDraft(chat(9)),
      [{ kind: "replace", from: 0, to: 4, with: [made], reason: "summarize" }],
      { answers: [], hash },
    );
    const passes = { passes: [compactPass(makeEdit())], stopsAtTarget: false };
    const { asks } = finish(runPasses(earlier, passes, { ...makeContext(1_000), dropsTask: true }), shortAnswer);
    expect(asks).toMatchObject([{ previous: "So far.", messages: messages.slice(4) }]);
  });

  it("does not summarize a summary alone again", () => {
    const again = compactPass(makeEdit({ overTokens: 10 }));
    const passes = { passes: [again, again], stopsAtTarget: false };
    const { result, asks } = finish(
      runPasses(openDraft(chat(9)), passes, { ...makeContext(1_000), dropsTask: true }),
      shortAnswer,
    );
    expect(result.passes.map(({ outcome }) => outcome)).toEqual(["applied", "nothing-to-do"]);
    expect(asks).toHaveLength(1);
  });

  it("uses the client's instructions, otherwise the default", () => {
    expect(compact(chat(9), { instructions: "Only names." }).asks[0]?.instructions).toMatch(/^Only names\./);
    expect(compact(chat(9)).asks[0]?.instructions).toMatch(/^Write the handover notes/);
  });

  it("runs only over its trigger", () => {
    const { tokens } = makeTestView(chat(9), 1_000);
    expect(compact(chat(9), { overTokens: tokens }).pass).toMatchObject({ outcome: "skipped" });
    expect(compact(chat(9), { overTokens: tokens - 1 }).pass).toMatchObject({ outcome: "applied" });
  });

  it("does nothing for a conversation with only the user's message", () => {
    expect(compact(chat(1), { overTokens: 10 }).pass).toMatchObject({ outcome: "nothing-to-do" });
  });

  it.each<[string, Answer, object]>([
    ["fails", { kind: "failed", why: "overloaded" }, { outcome: "failed", why: "overloaded" }],
    ["returns nothing", { kind: "text", text: "  " }, { outcome: "undone", why: "the summary is empty" }],
    ["returns too much", { kind: "text", text: LONG.repeat(99) }, { outcome: "undone" }],
  ])("leaves the conversation unchanged if the summarizer %s", (_, answer, expected) => {
    const { messages, pass } = compact(chat(9), {}, () => answer);
    expect(messages).toEqual(chat(9).messages);
    expect(pass).toMatchObject(expected);
  });
});

describe("summaryOf", () => {
  it("returns a block for the client to send back", () => {
    const { messages } = compact(chat(9));
    expect(messages.map(summaryOf)).toEqual([{ type: "compaction", text: "A summary of 9 messages." }, undefined]);
  });

  it("returns the vendor's block if a vendor created it", () => {
    const block = makeCompaction("Sealed.");
    const { messages } = compact(chat(9), {}, () => ({ kind: "compaction", block }));
    expect(messages.map(summaryOf)[0]).toEqual(block);
  });
});

describe("resumeEdits", () => {
  it("starts the prompt as it started when the summary was created", () => {
    for (const conversation of [chat(9), makeConversation(makeAgentLoop(6).messages.slice(0, -1))]) {
      const { messages } = compact(conversation);
      const block = messages.map(summaryOf).find((found) => found !== undefined);
      if (block === undefined) throw new Error("nothing was summarised");
      const later = [makeAssistant([block, "Go on."]), makeUser("Thanks.")];
      expect(resume([...conversation.messages, ...later])).toEqual([...messages, makeAssistant("Go on."), later[1]]);
    }
  });

  it("uses the latest of several summaries", () => {
    const { messages } = chat(5);
    const history = [
      ...messages.slice(0, 3),
      makeAssistant([makeCompaction("First."), "Yes."]),
      ...messages.slice(4),
      makeAssistant([makeCompaction("Second."), "No."]),
      makeUser("Go on."),
    ];
    expect(resume(history)).toEqual([summary("Second."), messages[4], makeAssistant("No."), makeUser("Go on.")]);
  });

  it("removes summaries from kept messages", () => {
    const history = [
      makeUser("Task."),
      makeAssistant([makeToolCall("a")]),
      makeUser(makeToolResult("a")),
      makeAssistant([makeCompaction("First."), makeToolCall("b")]),
      makeUser(makeToolResult("b")),
      makeAssistant([makeCompaction("Second."), "Done."]),
    ];
    expect(resume(history)).toEqual([
      makeUser("Task."),
      summary("Second."),
      makeAssistant(makeToolCall("b")),
      makeUser(makeToolResult("b")),
      makeAssistant("Done."),
    ]);
  });

  it("continues from a summary whose history the client dropped", () => {
    const kept = [makeUser("And now?")];
    expect(resume([makeAssistant(makeCompaction("So far.")), ...kept])).toEqual([summary("So far."), ...kept]);
    expect(resume([makeAssistant([makeCompaction("So far."), "Yes."]), ...kept])).toEqual([
      summary("So far."),
      makeAssistant("Yes."),
      ...kept,
    ]);
  });

  it("keeps failed and encrypted summaries", () => {
    const history = [makeUser("a"), makeAssistant([makeCompaction(null), "b"]), makeUser("c")];
    expect(resume(history)).toEqual(history);
    expect(hasSummary(makeConversation(history))).toBe(false);
    expect(hasSummary(makeConversation([makeAssistant(makeCompaction("So far."))]))).toBe(true);
  });
});
