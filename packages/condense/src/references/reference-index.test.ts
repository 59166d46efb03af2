import { type Conversation, pureHash as hash, type Message } from "@longhaul/conversation";
import {
  anyConversation,
  anyMessyConversation,
  makeAssistant,
  makeText,
  makeToolCall,
  makeToolResult,
  makeUser,
} from "@longhaul/conversation/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Content } from "../content/content.ts";
import { decompose } from "../content/contents.ts";
import { keptSlot, type SentMessages, type Slot } from "../edits/draft.ts";
import { anySession } from "../testing/any-session.ts";
import { makeCounter } from "../testing/context.ts";
import { continueContents, type LooseEnds, NO_MESSAGES, openReferenceIndex } from "./reference-index.ts";

const TEXT = Array.from({ length: 6 }, (_, line) => `a line of the listing that is long enough, ${line}`).join("\n");
const rules = { sourcesIn: () => () => true, consolidates: true, counter: makeCounter(), hash };

function listings(count: number): Message[] {
  const steps = Array.from({ length: count }, (_, step) => [
    makeAssistant(makeToolCall(`c${step}`, { name: "bash", input: { command: "ls" } })),
    makeUser(makeToolResult(`c${step}`, TEXT)),
  ]);
  return [makeUser("List it."), ...steps.flat()];
}

/** Messages behind a summary, which stands in the place of raw ones. */
function behindSummary(messages: readonly Message[], summarized: number): SentMessages {
  const made: Slot = { kind: "made", message: makeUser("a summary"), from: 0, to: summarized };
  const slots = [
    made,
    ...messages.slice(summarized).map((message, offset) => keptSlot(message, summarized + offset, [])),
  ];
  return { count: slots.length, slotAt: (position) => slots[position], rawAt: (index) => messages[index] };
}

describe("openReferenceIndex", () => {
  it("opens an index that points with raw places, and names positions as they are sent", () => {
    const index = openReferenceIndex();
    const sent = behindSummary(listings(3), 3);
    expect(index.planFrom(3, sent, rules)).toEqual([
      {
        kind: "splice",
        at: { message: 4, block: 0, path: [0] },
        reason: "consolidate",
        splices: [
          {
            from: 0,
            to: TEXT.length,
            text: "⟨ Consolidated 2 operations: bash ls gave the same result as in message #3 ⟩",
            reference: { target: { message: 4, block: 0, path: [0] }, from: 0, to: TEXT.length },
          },
        ],
      },
    ]);
    expect(index.messages).toBe(3);
  });

  it("counts on where an operation gives the same again", () => {
    const index = openReferenceIndex();
    const texts = [3, 4, 5].map((count) => {
      const messages = listings(count);
      const slots = messages.map((message, position) => keptSlot(message, position, []));
      const sent = { count: slots.length, slotAt: (at: number) => slots[at], rawAt: (at: number) => messages[at] };
      return index.planFrom(slots.length - 3, sent, rules).at(-1)?.splices[0]?.text;
    });
    expect(texts).toEqual([3, 4, 5].map((times) => expect.stringContaining(`Consolidated ${times} operations`)));
  });

  it("is as before where a message cannot be had", () => {
    const index = openReferenceIndex();
    const sent = behindSummary(listings(3), 3);
    index.planFrom(3, sent, rules);
    expect(() => index.planFrom(3, { ...sent, count: 99 }, rules)).toThrow("there is no message 5 to refer to");
    expect(index.planFrom(3, sent, rules)).toEqual(openReferenceIndex().planFrom(3, sent, rules));
  });
});

/** The contents of messages that are read stretch by stretch, and the messages that were looked back at. */
function readInStretches(
  messages: readonly Message[],
  cuts: readonly number[],
): { contents: Content[]; asked: number[] } {
  const contents: Content[] = [];
  const asked: number[] = [];
  let ends: LooseEnds = NO_MESSAGES;
  for (const cut of [...cuts.toSorted((a, b) => a - b), messages.length]) {
    const fresh = messages.slice(ends.messages, Math.max(cut, ends.messages));
    const continued = continueContents(ends, fresh, (position) => {
      asked.push(position);
      return messages[position]!;
    });
    contents.push(...continued.contents);
    ({ ends } = continued);
  }
  return { contents, asked };
}

/** What references make use of. Whether a call was answered is not known while it is read. */
function essence({ use, ...content }: Content): unknown {
  if (use === undefined) return content;
  const isAnswered = content.level === "result" ? { isError: use.isError, isCalled: use.callMessage !== -1 } : {};
  return { ...content, name: use.name, input: use.input, ...isAnswered };
}

const anyTalk: fc.Arbitrary<Conversation> = fc.oneof(anySession(), anyConversation(), anyMessyConversation());

describe("continueContents", () => {
  it("gives stretch by stretch what taking all messages apart gives", () => {
    fc.assert(
      fc.property(anyTalk, fc.array(fc.nat(20), { maxLength: 5 }), ({ messages }, cuts) => {
        expect(readInStretches(messages, cuts).contents.map(essence)).toEqual(
          decompose(messages).contents.map(essence),
        );
      }),
      { numRuns: 300 },
    );
  });

  it("knows the call of each result, however late it comes and however often its id was used", () => {
    const call = (id: string, path: string) => makeToolCall(id, { input: { path } });
    const messages = [
      makeUser("Go."),
      makeAssistant([makeText("Both."), call("1", "a.ts"), call("2", "b.ts")]),
      makeUser(makeToolResult("1", "the text of a")),
      makeAssistant(call("1", "c.ts")),
      makeUser([makeToolResult("1", "the text of c"), makeToolResult("2", "the text of b")]),
      makeUser(makeToolResult("1", "nobody asked")),
    ];
    const { contents, asked } = readInStretches(messages, [1, 2, 3, 4, 5]);
    const results = contents.filter(({ level }) => level === "result").map(({ text, use }) => [text, use?.input]);
    expect(results).toEqual([
      ["the text of a", { path: "a.ts" }],
      ["the text of c", { path: "c.ts" }],
      ["the text of b", { path: "b.ts" }],
      ["nobody asked", null],
    ]);
    expect(asked).toEqual([1, 1, 1, 3]);
  });

  it.each([[[3, 5, 6, 7]], [[3]], [[2, 6]]])(
    "answers the calls of the latest round first, with stretches that end at %j",
    (cuts) => {
      const call = (path: string) => makeAssistant(makeToolCall("1", { input: { path } }));
      const result = makeUser(makeToolResult("1", "a text"));
      const messages = [
        makeUser("Go."),
        call("a.ts"),
        makeUser("Wait."),
        call("b.ts"),
        call("c.ts"),
        result,
        result,
        result,
      ];
      const { contents } = readInStretches(messages, cuts);
      const results = contents.filter(({ level }) => level === "result").map(({ use }) => use?.input);
      expect(results).toEqual([{ path: "b.ts" }, { path: "c.ts" }, { path: "a.ts" }]);
    },
  );
});
