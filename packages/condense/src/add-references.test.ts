import { type Conversation, pureHash as hash } from "@longhaul/conversation";
import {
  makeAssistant,
  makeConversation,
  makeToolCall,
  makeToolResult,
  makeUser,
} from "@longhaul/conversation/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addReferences } from "./add-references.ts";
import { type Draft, openDraft } from "./draft.ts";
import { flatten, project } from "./projection.ts";
import { anySession } from "./testing/any-session.ts";
import { makeCounter } from "./testing/counter.ts";
import { inexactTexts } from "./testing/inexact-texts.ts";

const FILE = Array.from({ length: 9 }, (_, line) => `const value${line} = compute(${line}); // line ${line}`).join(
  "\n",
);
const options = { references: "results", counter: makeCounter(), hash } as const;

function reads(count: number): Conversation {
  const turns = Array.from({ length: count }, (_, turn) => [
    makeAssistant(makeToolCall(`c${turn}`)),
    makeUser(makeToolResult(`c${turn}`, FILE)),
  ]);
  return makeConversation([makeUser("Read it."), ...turns.flat()]);
}

/** What a gateway does with each request: replay what it stored, refer in what is new, store that. */
function sendTurnByTurn(conversation: Conversation): readonly Draft[] {
  const drafts: Draft[] = [];
  let stored = flatten(openDraft({ ...conversation, messages: [] }), hash);
  for (const end of conversation.messages.keys()) {
    const request = { ...conversation, messages: conversation.messages.slice(0, end + 1) };
    const draft = addReferences(project(request, stored, hash), { ...options, from: stored.messages });
    stored = JSON.parse(JSON.stringify(flatten(draft, hash)));
    drafts.push(draft);
  }
  return drafts;
}

describe("addReferences", () => {
  it("leaves messages alone that were sent before, and points to them", () => {
    const raw = openDraft(reads(3));
    const draft = addReferences(raw, { ...options, from: 5 });
    expect(draft.conversation.messages.slice(0, 5)).toEqual(raw.conversation.messages.slice(0, 5));
    expect(draft.conversation.messages[6]).not.toEqual(raw.conversation.messages[6]);
    expect(addReferences(raw, { ...options, from: 7 })).toBe(raw);
    expect(addReferences(raw, { ...options, references: "off", from: 0 })).toBe(raw);
  });

  it("never changes a byte that was sent before, turn after turn", () => {
    fc.assert(
      fc.property(anySession(), (conversation) => {
        const drafts = sendTurnByTurn(conversation);
        for (const [turn, draft] of drafts.entries()) {
          const before = drafts[turn - 1]?.conversation.messages ?? [];
          expect(JSON.stringify(draft.conversation.messages.slice(0, before.length))).toBe(JSON.stringify(before));
          expect(inexactTexts(draft)).toEqual([]);
        }
      }),
      { numRuns: 30 },
    );
  });
});
