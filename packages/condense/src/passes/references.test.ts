import { type Conversation, pureHash as hash, type Message } from "@longhaul/conversation";
import { anyConversation, anyMessyConversation } from "@longhaul/conversation/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Draft, makeDraft, openDraft } from "../draft.ts";
import { flatten } from "../projection.ts";
import { brokenReferences } from "../references/check.ts";
import { expandConversation } from "../references/expand-conversation.ts";
import { runPasses } from "../run.ts";
import { anySession } from "../testing/any-session.ts";
import { makeContext } from "../testing/context.ts";
import { type ReferenceScope, referencesPass } from "./references.ts";

const anyScope = fc.constantFrom<ReferenceScope>("results", "all");
const anyTalk = fc.oneof(
  { weight: 3, arbitrary: anySession() },
  { weight: 1, arbitrary: anyConversation({ maxTurns: 6 }) },
  { weight: 1, arbitrary: anyMessyConversation({ maxTurns: 6 }) },
);

/** The draft with references, whether or not the whole got smaller. */
function refer(draft: Draft, references: ReferenceScope, from = 0): Draft {
  const run = runPasses(
    draft,
    { passes: [referencesPass({ references, from })], stopsAtTarget: false },
    makeContext(1e6),
  );
  const step = run.next();
  if (step.done !== true) throw new Error("references ask for nothing");
  expect(step.value.passes[0]?.why).toBeUndefined();
  return step.value.draft;
}

function isReferring({ slots }: Draft): boolean {
  return slots.some((slot) => slot.kind === "kept" && slot.changes.length > 0);
}

describe("referencesPass", () => {
  it("gives back every letter, from what is sent and the record alone", () => {
    let referring = 0;
    fc.assert(
      fc.property(anyTalk, anyScope, (conversation, scope) => {
        const draft = refer(openDraft(conversation), scope);
        if (isReferring(draft)) referring++;
        expect(brokenReferences(draft)).toEqual([]);
        const projection = JSON.parse(JSON.stringify(flatten(draft, hash)));
        const { messages, lost } = expandConversation(draft.conversation, projection, hash);
        expect(lost).toEqual([]);
        expect(messages).toEqual(conversation.messages);
      }),
      { numRuns: 300 },
    );
    expect(referring).toBeGreaterThan(100);
  });

  it("makes of a message what it makes of it without those after it", () => {
    fc.assert(
      fc.property(anyTalk, anyScope, fc.double({ min: 0, max: 1, noNaN: true }), (conversation, scope, share) => {
        const prefix = firstMessages(conversation, share);
        const short = refer(openDraft(prefix), scope).conversation.messages;
        const long = refer(openDraft(conversation), scope).conversation.messages;
        expect(long.slice(0, short.length)).toEqual(short);
      }),
      { numRuns: 300 },
    );
  });

  it("makes the same of a conversation at once as message by message", () => {
    fc.assert(
      fc.property(anySession(), anyScope, (conversation, scope) => {
        const atOnce = refer(openDraft(conversation), scope).conversation.messages;
        expect(growing(conversation, scope)).toEqual(atOnce);
      }),
      { numRuns: 150 },
    );
  });
});

function firstMessages(conversation: Conversation, share: number): Conversation {
  const count = Math.max(1, Math.round(share * conversation.messages.length));
  return { ...conversation, messages: conversation.messages.slice(0, count) };
}

function growing(conversation: Conversation, scope: ReferenceScope): readonly Message[] {
  let draft = openDraft({ ...conversation, messages: [] });
  for (const [index] of conversation.messages.entries()) {
    const raw = { ...conversation, messages: conversation.messages.slice(0, index + 1) };
    const next = openDraft(raw);
    draft = refer(makeDraft(raw, [...draft.slots, ...next.slots.slice(index)]), scope, index);
  }
  return draft.conversation.messages;
}
