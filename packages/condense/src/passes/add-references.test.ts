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
import type { Content } from "../content/content.ts";
import type { Pass } from "../contract/strategy.ts";
import { type Draft, keptSlot, openDraft, type SentMessages } from "../edits/draft.ts";
import { runPasses } from "../engine/run.ts";
import { planReferences } from "../references/plan.ts";
import { openReferenceIndex } from "../references/reference-index.ts";
import { extendProjection, flatten, project, projectedMessages } from "../rewrite/projection.ts";
import { anySession } from "../testing/any-session.ts";
import { finish, growDraft, makeContext, shortAnswer } from "../testing/context.ts";
import { makeCounter } from "../testing/counter.ts";
import { inexactTexts } from "../testing/inexact-texts.ts";
import { type AddReferencesOptions, addReferences, addReferencesToNew } from "./add-references.ts";
import { referencesPass, writableIn } from "./references.ts";

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
function sendTurnByTurn(conversation: Conversation, more: Partial<AddReferencesOptions> = {}): readonly Draft[] {
  const drafts: Draft[] = [];
  let stored = flatten(openDraft({ ...conversation, messages: [] }), hash);
  for (const end of conversation.messages.keys()) {
    const request = { ...conversation, messages: conversation.messages.slice(0, end + 1) };
    const draft = addReferences(project(request, stored, hash), { ...options, ...more, from: stored.messages });
    stored = JSON.parse(JSON.stringify(flatten(draft, hash)));
    drafts.push(draft);
  }
  return drafts;
}

/** The same, by the pass that reads the whole conversation. */
function referByPass(
  draft: Draft,
  { from, ...wish }: { from: number; references: "results" | "all"; consolidates: boolean },
): Draft {
  const pass: Pass = {
    ...referencesPass(wish),
    plan: (view) => {
      const isWritable = writableIn(view.contents().contents, wish.references);
      const isSource = (content: Content) => content.at.message >= from && isWritable(content);
      return planReferences(view, { ...wish, isSource, groupOf: () => "text", reason: "reference" });
    },
  };
  return finish(runPasses(draft, { passes: [pass], stopsAtTarget: false }, makeContext(1e9)), shortAnswer).result.draft;
}

const anyWish = fc.record({
  references: fc.constantFrom("results" as const, "all" as const),
  consolidates: fc.boolean(),
});

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

  it("gives with an index that grows what reading the whole conversation gives", () => {
    fc.assert(
      fc.property(anySession(), anyWish, (conversation, wish) => {
        const grown = sendTurnByTurn(conversation, { ...wish, index: openReferenceIndex() });
        const anew = sendTurnByTurn(conversation, wish);
        expect(grown.map(({ slots }) => slots)).toEqual(anew.map(({ slots }) => slots));
        for (const [turn, draft] of grown.entries()) {
          const before = turn === 0 ? openDraft({ ...conversation, messages: [] }) : grown[turn - 1]!;
          const whole = referByPass(growDraft(before, draft.raw), { ...wish, from: turn });
          expect(flatten(draft, hash)).toEqual(flatten(whole, hash));
        }
      }),
      { numRuns: 60 },
    );
  });

  it("gives the same when several messages are new, when a request comes again, and when the client goes back", () => {
    fc.assert(
      fc.property(anySession(), anyWish, fc.array(fc.nat(24), { maxLength: 8 }), (conversation, wish, ends) => {
        const known = { ...options, ...wish };
        const index = openReferenceIndex();
        for (const end of ends) {
          const messages = conversation.messages.slice(0, end + 1);
          const draft = openDraft({ ...conversation, messages });
          const from = Math.floor(messages.length / 2);
          const grown = addReferences(draft, { ...known, from, index });
          expect(grown).toEqual(addReferences(draft, { ...known, from }));
          expect(addReferences(draft, { ...known, from, index })).toEqual(grown);
        }
      }),
      { numRuns: 60 },
    );
  });

  it("does the same with nothing but what was stored, message by message", () => {
    fc.assert(
      fc.property(anySession(), anyWish, (conversation, wish) => {
        const { messages } = conversation;
        const raw = { rawAt: (position: number) => messages[position], hash };
        const index = openReferenceIndex();
        let stored = flatten(openDraft({ ...conversation, messages: [] }), hash);
        for (const [from, draft] of sendTurnByTurn(conversation, wish).entries()) {
          const sent = projectedMessages(stored, from + 1, raw);
          const changed = addReferencesToNew(sent, { ...options, ...wish, from, index });
          stored = extendProjection(stored, [changed.get(from) ?? sent.slotAt(from) ?? []].flat(), raw);
          expect(stored).toEqual(flatten(draft, hash));
        }
      }),
      { numRuns: 30 },
    );
  });

  it("reads with an index only what is new, what that answers, and what references point to", () => {
    const { messages } = reads(5);
    const index = openReferenceIndex();
    const asked = new Set<number>();
    const sentUpTo = (count: number): SentMessages => ({
      count,
      slotAt: (position) => {
        asked.add(position);
        return keptSlot(messages[position]!, position, []);
      },
      rawAt: (position) => {
        asked.add(position);
        return messages[position];
      },
    });
    addReferencesToNew(sentUpTo(10), { ...options, from: 9, index });
    expect(index.messages).toBe(9);
    asked.clear();
    const changed = addReferencesToNew(sentUpTo(11), { ...options, from: 10, index });
    expect([...changed.keys()]).toEqual([10]);
    expect([...asked].sort((a, b) => a - b)).toEqual([2, 9, 10]);
  });
});
