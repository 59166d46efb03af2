import type { Conversation, Message } from "@longhaul/conversation";
import { makeAgentLoop, makeAssistant, makeConversation, makeUser } from "@longhaul/conversation/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { condenseInSteps } from "../condense-in-steps.ts";
import type { Answer, Ask } from "../edits/edit.ts";
import { finish, makeCounter, makePlan, shortAnswer } from "../testing/context.ts";
import { describePage } from "../testing/describe-page.ts";
import { describeStrategy } from "../testing/describe-strategy.ts";
import { native } from "./native.ts";

describeStrategy({
  strategy: native,
  configs: fc.record(
    { prompt: fc.constantFrom("", "In one line."), userShare: fc.constantFrom(0, 0.2, 1) },
    { requiredKeys: [] },
  ),
});

describePage({ strategy: native, budgetTokens: 700 });

const LONG = "What was said here takes some room. ".repeat(10);
const chat = (count: number) =>
  makeConversation(
    Array.from({ length: count }, (_, index) =>
      index % 2 === 0 ? makeUser(`${index} ${LONG}`) : makeAssistant(`${index} ${LONG}`),
    ),
  );
/** The user writes little, the assistant much. */
const agentTalk = (count: number) =>
  makeConversation(
    Array.from({ length: count }, (_, index) =>
      index % 2 === 0 ? makeUser(`Mind point ${index}.`) : makeAssistant(`${index} ${LONG}`),
    ),
  );
interface RunOptions {
  readonly config?: object;
  readonly answer?: (ask: Ask) => Answer;
  readonly budgetTokens?: number;
}

/** The behavior of the reference implementation: the user's messages are summarized like all others. */
const AS_ROO = { userShare: 0 };

const run = (
  conversation: Conversation,
  { config = AS_ROO, answer = shortAnswer, budgetTokens = 1_200 }: RunOptions = {},
) => {
  const { result, asks } = finish(condenseInSteps(conversation, makePlan(native, budgetTokens, config)), answer);
  return {
    messages: result.conversation.messages,
    asks,
    pass: result.report.passes.find(({ id }) => id === "summarize"),
    warnings: result.report.warnings,
  };
};

describe("native", () => {
  it("returns the first message, one summary and the last three", () => {
    const { messages } = chat(21);
    const { messages: condensed, asks } = run(chat(21));
    expect(condensed).toEqual([messages[0], makeAssistant("A summary of 18 messages."), ...messages.slice(-3)]);
    expect(asks).toMatchObject([{ messages: messages.slice(0, 18), range: { from: 0, to: 18 } }]);
  });

  it("keeps the user's messages between them verbatim, before the summary", () => {
    const { messages } = agentTalk(21);
    const { messages: condensed, asks } = run(agentTalk(21), { config: {} });
    expect(condensed).toEqual([
      ...messages.filter((message, index) => index < 18 && message.role === "user"),
      makeAssistant("A summary of 18 messages."),
      ...messages.slice(-3),
    ]);
    expect(asks).toMatchObject([{ messages: messages.slice(0, 18), range: { from: 0, to: 18 } }]);
  });

  it("keeps the assistant's latest answer if the last three messages have none", () => {
    const answer = makeAssistant("The command ls prints the files of this folder, and nothing else changed.");
    const end = [makeUser("What did I run?"), answer, makeUser("ok"), makeAssistant("Fine."), makeUser("Go on.")];
    const talk = makeConversation([...agentTalk(40).messages, ...end]);
    const { messages: condensed } = run(talk, { config: {}, budgetTokens: 1_600 });
    expect(condensed.slice(-5)).toEqual(end);
    expect(run(talk, { budgetTokens: 1_600 }).messages).not.toContainEqual(answer);
  });

  it("keeps them when it condenses again, and updates its summary", () => {
    const first = finish(condenseInSteps(agentTalk(21), makePlan(native, 1_200)), shortAnswer).result;
    const plan = { ...makePlan(native, 1_200), continues: first.projection };
    const { messages } = agentTalk(41);
    const { result, asks } = finish(condenseInSteps(agentTalk(41), plan), shortAnswer);
    expect(asks).toMatchObject([{ previous: "A summary of 18 messages.", messages: messages.slice(18, 38) }]);
    expect(result.conversation.messages).toEqual([
      ...messages.filter((message, index) => index < 38 && message.role === "user"),
      makeAssistant("A summary of 20 messages."),
      ...messages.slice(-3),
    ]);
  });

  it("moves its cut so that no two assistant messages are adjacent", () => {
    const { messages } = chat(20);
    expect(run(chat(20)).messages).toEqual([
      messages[0],
      makeAssistant("A summary of 16 messages."),
      ...messages.slice(-4),
    ]);
  });

  it("moves its cut so that no tool pair is split, and makes the summary a user message if a call follows", () => {
    const loop = makeAgentLoop(20, 100);
    const { messages } = run(loop);
    expect(messages).toEqual([
      loop.messages[0],
      makeUser("## Conversation summary\nA summary of 39 messages."),
      ...loop.messages.slice(-3),
    ]);
  });

  it("summarizes only messages after the last summary", () => {
    const summary: Message = { ...makeAssistant("so far"), extra: { isSummary: true } };
    const { messages } = chat(21);
    const { asks } = run(makeConversation(messages.with(1, summary)));
    expect(asks).toMatchObject([{ previous: "so far", messages: messages.slice(2, 18) }]);
  });

  it.each([6, 7, 8])("condenses again if the second of %i messages is a summary", (count) => {
    const summary: Message = { ...makeAssistant("so far"), extra: { isSummary: true } };
    const { pass, asks } = run(makeConversation(chat(count).messages.with(1, summary)), { budgetTokens: 300 });
    expect(pass?.outcome).toBe("applied");
    expect(asks).toMatchObject([{ previous: "so far" }]);
  });

  it("uses a custom prompt, and the default for a blank one", () => {
    expect(run(chat(21), { config: { prompt: " Only names. " } }).asks[0]?.instructions).toMatch(/^Only names\./);
    expect(run(chat(21), { config: { prompt: "  " } }).asks[0]?.instructions).toMatch(/^Write the handover notes/);
  });

  it("skips short conversations: Not enough messages to condense context", () => {
    const { pass, asks, warnings } = run(makeConversation([...chat(3).messages, makeAssistant(LONG.repeat(20))]));
    expect(pass).toMatchObject({ outcome: "failed", why: "Not enough messages to condense context", costUsd: 0 });
    expect(asks).toEqual([]);
    expect(warnings[0]).toContain("Not enough messages to condense context");
  });

  it.each([1, 2, 3])("skips recent summaries: Context was condensed recently (%i from the end)", (fromEnd) => {
    const { messages } = chat(21);
    const summary: Message = { ...makeAssistant("so far"), extra: { isSummary: true } };
    const { pass, asks } = run(makeConversation(messages.with(-fromEnd, summary)));
    expect(pass).toMatchObject({ outcome: "failed", why: "Context was condensed recently; skipping this attempt" });
    expect(asks).toEqual([]);
  });

  it("does not condense again right after condensing", () => {
    const first = run(chat(21)).messages;
    const marked = first.with(1, { ...makeAssistant("A summary of 18 messages."), extra: { isSummary: true } });
    expect(run(makeConversation(marked), { budgetTokens: 300 }).pass).toMatchObject({
      outcome: "failed",
      why: "Context was condensed recently; skipping this attempt",
    });
  });

  it("undoes a result that is not smaller: Context size increased during condensing", () => {
    const { pass } = run(chat(21), {
      answer: ({ messages }) => ({ kind: "text", text: JSON.stringify(messages), costUsd: 0.25 }),
    });
    expect(pass).toMatchObject({
      outcome: "undone",
      why: "Context size increased during condensing; skipping this attempt",
      costUsd: 0.25,
    });
  });

  it("counts an equal size as growth", () => {
    const conversation = chat(21);
    const counter = makeCounter();
    const gone = conversation.messages.slice(1, 18).reduce((sum, message) => sum + counter.countMessage(message), 0);
    const ofLength = (tokens: number) => ({ kind: "text", text: "x".repeat(4 * tokens) }) as const;
    expect(run(conversation, { answer: () => ofLength(gone - 3) }).pass).toMatchObject({
      outcome: "undone",
      why: "Context size increased during condensing; skipping this attempt",
    });
    expect(run(conversation, { answer: () => ofLength(gone - 4) }).pass?.outcome).toBe("applied");
  });

  it("reports an empty answer: Failed to condense context", () => {
    const { pass } = run(chat(21), { answer: () => ({ kind: "text", text: " ", costUsd: 0.5 }) });
    expect(pass).toMatchObject({ outcome: "undone", why: "Failed to condense context", costUsd: 0.5 });
  });

  it("fails if the summarizer fails", () => {
    const { pass } = run(chat(21), { answer: () => ({ kind: "failed", why: "overloaded" }) });
    expect(pass).toMatchObject({ outcome: "failed", why: "overloaded" });
  });
});
