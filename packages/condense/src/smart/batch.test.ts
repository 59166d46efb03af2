import {
  makeAssistant,
  makeConversation,
  makeSystem,
  makeThinking,
  makeToolCall,
  makeToolResult,
  makeUser,
} from "@longhaul/conversation/testing";
import { describe, expect, it } from "vitest";
import { openDraft } from "../edits/draft.ts";
import { asksIn } from "../edits/edit.ts";
import { apply } from "../rewrite/apply.ts";
import { makeTestView } from "../testing/context.ts";
import { planBatch } from "./batch.ts";
import type { Selection, Summarization } from "./pass-schema.ts";

const step = (id: string) => [
  makeAssistant([`Step ${id}.`, makeToolCall(id, { name: "bash", input: { command: id } })]),
  makeUser(makeToolResult(id, `Output of ${id}.`)),
];
const SESSION = makeConversation([
  makeUser("The task."),
  ...step("a"),
  ...step("b"),
  makeUser("Never touch the tests."),
  ...step("c"),
  makeAssistant("Done."),
  makeUser("Next?"),
]);

interface Wish extends Partial<Summarization> {
  readonly selection?: Selection;
  readonly preserveUserMessages?: boolean;
}

function run(conversation = SESSION, { selection, preserveUserMessages = true, ...wish }: Wish = {}) {
  const edits = planBatch(makeTestView(conversation, 400), {
    selection: selection ?? { type: "preserve_recent", keepRecentCount: 2 },
    summarization: { profile: "", prompt: "", maxTokens: 400, keepFirst: 1, keepLast: 0, ...wish },
    preserveUserMessages,
  });
  const asks = asksIn(edits);
  const answers = asks.map(() => ({ kind: "text" as const, text: "so far" }));
  return { asks, messages: apply(openDraft(conversation), edits, { answers, hash: String }).conversation.messages };
}

const SUMMARY = makeSystem("[Earlier conversation summary: so far]");
const at = (...indexes: number[]) => indexes.map((index) => SESSION.messages[index]);

describe("planBatch", () => {
  it("puts one summary in the place of all selected messages, behind what the user said", () => {
    const { asks, messages } = run();
    expect(messages).toEqual([...at(0, 5), SUMMARY, ...at(8, 9)]);
    expect(asks).toHaveLength(1);
  });

  it("shows the summariser what the user said between", () => {
    expect(run().asks[0]?.messages).toEqual(SESSION.messages.slice(1, 8));
  });

  it("takes the user's words too where it is told so, but never the latest", () => {
    expect(run(SESSION, { preserveUserMessages: false }).messages).toEqual([...at(0), SUMMARY, ...at(8, 9)]);
    const all = { selection: { type: "preserve_recent", keepRecentCount: 0 } } as const;
    expect(run(SESSION, { ...all, preserveUserMessages: false }).messages).toEqual([...at(0), SUMMARY, ...at(9)]);
  });

  it("keeps the first and the last of the selected messages, and never half of a tool pair", () => {
    const { messages } = run(SESSION, { keepFirst: 2, keepLast: 1 });
    expect(messages).toEqual([...at(0, 1, 2), SUMMARY, ...at(5, 6, 7, 8, 9)]);
  });

  it("leaves what is not selected where it stands", () => {
    const { messages } = run(SESSION, { keepFirst: 0, selection: { type: "custom", fromIndex: 3, toIndex: 7 } });
    expect(messages).toEqual([...at(0, 1, 2, 5), SUMMARY, ...at(8, 9)]);
  });

  it("takes reasoning along that is a message of its own", () => {
    const session = makeConversation([
      makeUser("The task."),
      makeAssistant(makeThinking()),
      ...step("a"),
      makeUser("Next?"),
    ]);
    expect(run(session, { selection: { type: "preserve_recent", keepRecentCount: 1 } }).messages).toEqual([
      makeUser("The task."),
      SUMMARY,
      makeUser("Next?"),
    ]);
  });

  it("names the profile and asks in the configured words", () => {
    const { asks } = run(SESSION, { profile: "cheap", prompt: "Names only.", maxTokens: 60 });
    expect(asks).toMatchObject([
      { profile: "cheap", maxTokens: 60, instructions: expect.stringMatching(/^Names only\./) },
    ]);
  });

  it("brings its earlier summary up to date, and asks nothing where nothing was said since", () => {
    const first = run().messages;
    const same = makeConversation([...first]);
    expect(run(same).asks).toEqual([]);
    const longer = makeConversation([...first, ...step("d"), makeAssistant("Done."), makeUser("And?")]);
    expect(run(longer).asks).toMatchObject([{ previous: "so far" }]);
  });
});
