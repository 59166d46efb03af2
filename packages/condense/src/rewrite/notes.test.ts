import { pureHash as hash, type Message } from "@longhaul/conversation/advanced";
import {
  makeAssistant,
  makeConversation,
  makeText,
  makeThinking,
  makeToolCall,
  makeToolResult,
  makeUser,
} from "@longhaul/conversation/testing";
import { describe, expect, it } from "vitest";
import { makeView } from "../contract/view.ts";
import { openDraft } from "../edits/draft.ts";
import type { Edit } from "../edits/edit.ts";
import { makeContext, makeCounter } from "../testing/context.ts";
import { apply } from "./apply.ts";
import { expandConversation } from "./expand-conversation.ts";
import { NOTE_START, withNotes, withoutNotes } from "./notes.ts";
import { flatten, project } from "./projection.ts";

const LONG = "a line of some length\n".repeat(60);
const step = (id: string, path = `src/${id}.ts`) => [
  makeAssistant(makeToolCall(id, { input: { path } })),
  makeUser(makeToolResult(id, LONG)),
];
const SESSION = [makeUser("Do it."), ...step("a"), ...step("b"), ...step("c"), ...step("d"), makeUser("And now?")];

const drop = (from: number, to: number): Edit => ({ kind: "replace", from, to, with: [], reason: "drop" });
const cut = (message: number): Edit => ({
  kind: "splice",
  at: { message, block: 0, path: [0] },
  splices: [{ from: 22, to: LONG.length, text: "..." }],
  reason: "truncate",
});

function condense(messages: readonly Message[], edits: readonly Edit[], budgetTokens = 100_000) {
  const draft = apply(openDraft(makeConversation(messages)), edits, { answers: [], hash });
  return withNotes(draft, makeContext(budgetTokens));
}

const NOTE = (what: string) =>
  `${NOTE_START} ${what} left out to fit the context window. Dots (...) and square brackets mark the places. Read files or run commands again if needed.]`;

describe("withNotes", () => {
  it("adds nothing to a draft that leaves nothing out", () => {
    const draft = openDraft(makeConversation(SESSION));
    expect(withNotes(draft, makeContext(100))).toBe(draft);
  });

  it("counts the lines of messages that a summary replaces", () => {
    const summary: Edit = {
      kind: "replace",
      from: 1,
      to: 3,
      with: [{ role: "user", parts: ["So far."] }],
      reason: "summarize",
    };
    const { conversation } = condense(SESSION, [summary, cut(4)]);
    expect(JSON.stringify(conversation)).toContain("120 lines were left out");
  });

  it("puts the note and the mark of a gap into the tool result before it, as an entry of their own", () => {
    const { messages } = condense(SESSION, [drop(3, 7)]).conversation;
    const text = `${NOTE("4 older messages were")}\n[4 messages left out: read src/b.ts, src/c.ts]`;
    expect(messages).toEqual([
      ...SESSION.slice(0, 2),
      makeUser(makeToolResult("a", [makeText(LONG), makeText(text)])),
      ...SESSION.slice(7),
    ]);
  });

  it("puts the note into no error if a later message can contain it", () => {
    const error = makeUser(makeToolResult("a", LONG, { isError: true }));
    const hostAfter = (...first: Message[]) => {
      const session = [...first, ...SESSION.slice(3)];
      const { messages } = condense(session, [drop(first.length, first.length + 2)]).conversation;
      return messages.findIndex((message) => JSON.stringify(message).includes(NOTE_START));
    };
    expect(hostAfter(...SESSION.slice(0, 3))).toBe(2);
    expect(hostAfter(...SESSION.slice(0, 2), error)).toBe(4);
    const both = makeUser([makeToolResult("a", "ok"), makeToolResult("x", "not found", { isError: true })]);
    const calls = makeAssistant([makeToolCall("a"), makeToolCall("x")]);
    const { messages } = condense([makeUser("Do it."), calls, both, ...SESSION.slice(3)], [drop(3, 5)]).conversation;
    expect(messages[2]?.blocks.map((block) => JSON.stringify(block).includes(NOTE_START))).toEqual([true, false]);
  });

  it("names the author of a single message that was left out", () => {
    const chat = [makeUser(LONG), makeUser(LONG), makeAssistant("Yes."), makeUser("Go on.")];
    expect(JSON.stringify(condense(chat, [drop(1, 2)]).conversation)).toContain("[1 message left out, from the user]");
  });

  it("puts them behind the words of a user message, as a block of their own", () => {
    const [first] = condense(SESSION, [drop(1, 3)]).conversation.messages;
    expect(first?.blocks).toEqual([
      makeText("Do it."),
      makeText(`${NOTE("2 older messages were")}\n[2 messages left out: read src/a.ts]`),
    ]);
  });

  it("counts the lines left out of messages that are sent, and writes one note for all", () => {
    const { messages } = condense(SESSION, [cut(2), drop(5, 7)]).conversation;
    const texts = messages.map((message) => JSON.stringify(message));
    expect(texts.filter((text) => text.includes(NOTE_START))).toHaveLength(1);
    expect(texts[2]).toContain(NOTE("2 older messages and 59 lines were"));
    expect(texts[4]).toContain("[2 messages left out: read src/c.ts]");
  });

  it("never changes the latest user message or an assistant message, and adds no message", () => {
    const dropped = [drop(0, 9)];
    expect(condense(SESSION, dropped).conversation.messages).toEqual([makeUser("And now?")]);
    const open = [makeUser("Go."), ...step("a"), ...step("b")];
    const { messages } = condense(open, [drop(1, 3)]).conversation;
    expect(messages.slice(0, 2)).toEqual([makeUser("Go."), open[3]]);
    expect(JSON.stringify(messages[2])).toContain("[2 messages left out above: read src/a.ts]");
  });

  it("joins adjacent drops, also those of an earlier condensation, into one mark", () => {
    const once = condense(SESSION, [drop(3, 5)]);
    const continued = withoutNotes(project(once.raw, flatten(once, hash), hash));
    const twice = withNotes(apply(continued, [drop(3, 5)], { answers: [], hash }), makeContext(100_000));
    expect(twice).toEqual(condense(SESSION, [drop(3, 7)]));
  });

  it("names fewer things if the notes would take too much, and leaves them out without room", () => {
    const all = JSON.stringify(condense(SESSION, [drop(3, 7)]).conversation);
    const { tokens } = makeView(condense(SESSION, [drop(3, 7)]), makeContext(1));
    const counter = makeCounter();
    expect(all).toContain("src/c.ts");
    const less = condense(SESSION, [drop(3, 7)], tokens - 1);
    expect(JSON.stringify(less.conversation)).toContain(NOTE_START);
    expect(JSON.stringify(less.conversation)).not.toContain("src/c.ts");
    expect(counter.countConversation(less.conversation)).toBeLessThan(tokens);
    expect(JSON.stringify(condense(SESSION, [drop(3, 7)], tokens - 60).conversation)).not.toContain(NOTE_START);
  });

  it("does not miss reasoning", () => {
    const messages = [makeUser("Go."), makeAssistant(makeThinking("Hm.")), makeAssistant("Done."), makeUser("Thanks.")];
    expect(JSON.stringify(condense(messages, [drop(1, 2)]).conversation)).not.toContain(NOTE_START);
  });
});

describe("a note in a projection", () => {
  const noted = condense(SESSION, [cut(2), drop(3, 7)]);
  const projection = JSON.parse(JSON.stringify(flatten(noted, hash)));

  it("is replayed", () => {
    expect(project(noted.raw, projection, hash).conversation).toEqual(noted.conversation);
  });

  it("is not seen by the next condensation", () => {
    const view = makeView(withoutNotes(project(noted.raw, projection, hash)), makeContext(1_000));
    expect(JSON.stringify(view.conversation)).not.toContain(NOTE_START);
    expect(view.contents().contents.some(({ text }) => text.includes("messages left out"))).toBe(false);
  });

  it("does not belong to the raw conversation", () => {
    const { messages } = expandConversation(
      condense(SESSION, [drop(3, 7)]).conversation,
      flatten(condense(SESSION, [drop(3, 7)]), hash),
      hash,
    );
    expect(messages).toEqual([...SESSION.slice(0, 3), undefined, undefined, undefined, undefined, ...SESSION.slice(7)]);
  });

  it("survives a client that cleared the result", () => {
    const cleared = SESSION.with(2, makeUser(makeToolResult("a", "cleared")));
    const [, , result] = project(makeConversation(cleared), projection, hash).conversation.messages;
    expect(JSON.stringify(result)).toContain(NOTE_START);
  });
});
