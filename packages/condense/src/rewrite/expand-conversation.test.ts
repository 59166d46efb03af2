import { type Conversation, pureHash as hash } from "@longhaul/conversation/advanced";
import {
  makeAssistant,
  makeConversation,
  makeText,
  makeToolCall,
  makeToolResult,
  makeUser,
} from "@longhaul/conversation/testing";
import { describe, expect, it } from "vitest";
import { openDraft } from "../edits/draft.ts";
import type { Edit } from "../edits/edit.ts";
import { apply } from "./apply.ts";
import { expandConversation } from "./expand-conversation.ts";
import { flatten } from "./projection.ts";

const TEXT = "one line of the file\nanother line of the file\na third line of the file";
const raw = makeConversation([
  makeUser("Read it."),
  makeAssistant([makeText("I do."), makeToolCall("a", { input: { path: "x", note: "a long note on it" } })]),
  makeUser(makeToolResult("a", TEXT)),
  makeAssistant(makeToolCall("b")),
  makeUser(makeToolResult("b", `${TEXT}\nmore`)),
]);
const target = { message: 2, block: 0, path: [0] };
const refer: Edit = {
  kind: "splice",
  at: { message: 4, block: 0, path: [0] },
  splices: [{ from: 0, to: TEXT.length, text: "[see #3]", reference: { target, from: 0, to: TEXT.length } }],
  reason: "reference",
};

function condense(...edits: readonly Edit[]) {
  const draft = apply(openDraft(raw), edits, { answers: [], hash });
  return { condensed: draft.conversation, projection: flatten(draft, hash) };
}

describe("expandConversation", () => {
  it("restores the raw messages, and those added after the projection", () => {
    const { condensed, projection } = condense(refer);
    const longer: Conversation = { ...condensed, messages: [...condensed.messages, makeAssistant("Done.")] };
    expect(expandConversation(longer, projection, hash)).toEqual({
      messages: [...raw.messages, makeAssistant("Done.")],
      lost: [],
    });
  });

  it("reports losses: dropped messages, removed blocks, cut texts, replaced inputs", () => {
    const edits: Edit[] = [
      { kind: "remove", at: { message: 1, block: 0, path: [] }, reason: "drop" },
      { kind: "input", at: { message: 1, block: 1, path: [] }, input: {}, reason: "suppress" },
      { kind: "replace", from: 0, to: 1, with: [{ role: "user", parts: ["gone"] }], reason: "drop" },
      {
        kind: "splice",
        at: { message: 4, block: 0, path: [0] },
        splices: [{ from: 3, to: 9, text: "" }],
        reason: "truncate",
      },
    ];
    const { condensed, projection } = condense(...edits);
    const { messages, lost } = expandConversation(condensed, projection, hash);
    expect(messages[0]).toBeUndefined();
    expect(messages[2]).toBe(raw.messages[2]);
    expect(lost).toEqual([
      { message: 1, block: 0, path: [] },
      { message: 1, block: 1, path: [] },
      { message: 4, block: 0, path: [0] },
    ]);
  });

  it("finds a target in a text that was changed around it", () => {
    const cut: Edit = {
      kind: "splice",
      at: target,
      splices: [{ from: 0, to: 4, text: "[cut] " }],
      reason: "truncate",
    };
    const from = TEXT.indexOf("another");
    const part: Edit = {
      ...refer,
      splices: [{ from, to: TEXT.length, text: "[part]", reference: { target, from, to: TEXT.length } }],
    };
    const { condensed, projection } = condense(part, cut);
    const { messages, lost } = expandConversation(condensed, projection, hash);
    expect(messages[4]).toEqual(raw.messages[4]);
    expect(lost).toEqual([target]);
  });

  it("rejects a conversation that does not match the projection", () => {
    const { condensed, projection } = condense(refer);
    const forged = condensed.messages.with(2, makeUser(makeToolResult("a", TEXT.replace("third", "forged"))));
    expect(() => expandConversation({ ...condensed, messages: forged }, projection, hash)).toThrow(
      "the target of a reference, message 2, has changed",
    );
    const gone = {
      ...projection,
      entries: [{ kind: "made", from: 0, to: 3, message: makeUser("x") } as const, ...projection.entries.slice(1)],
    };
    expect(() => expandConversation({ ...condensed, messages: condensed.messages.slice(-2) }, gone, hash)).toThrow(
      /has changed/,
    );
  });
});
