import { type Conversation, pureHash as hash, type Message } from "@longhaul/conversation/advanced";
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
import { type DecomposeState, decomposeNext, INITIAL_STATE, openReferenceIndex } from "./reference-index.ts";

const TEXT = Array.from({ length: 6 }, (_, line) => `a line of the listing that is long enough, ${line}`).join("\n");
const rules = { sourcesIn: () => () => true, consolidates: true, counter: makeCounter(), hash };

function listings(count: number): Message[] {
  const steps = Array.from({ length: count }, (_, step) => [
    makeAssistant(makeToolCall(`c${step}`, { name: "bash", input: { command: "ls" } })),
    makeUser(makeToolResult(`c${step}`, TEXT)),
  ]);
  return [makeUser("List it."), ...steps.flat()];
}

/** Messages after a summary that replaces raw ones. */
function behindSummary(messages: readonly Message[], summarized: number): SentMessages {
  const made: Slot = { kind: "made", message: makeUser("a summary"), from: 0, to: summarized };
  const slots = [
    made,
    ...messages.slice(summarized).map((message, offset) => keptSlot(message, summarized + offset, [])),
  ];
  return { count: slots.length, slotAt: (position) => slots[position], rawAt: (index) => messages[index] };
}

describe("openReferenceIndex", () => {
  it("points to raw positions, and names positions as sent", () => {
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
            text: "[same output as `ls` above, 2 times now]",
            reference: { target: { message: 4, block: 0, path: [0] }, from: 0, to: TEXT.length },
          },
        ],
      },
    ]);
    expect(index.messages).toBe(3);
  });

  it("keeps counting repeated results of an operation", () => {
    const index = openReferenceIndex();
    const texts = [3, 4, 5].map((count) => {
      const messages = listings(count);
      const slots = messages.map((message, position) => keptSlot(message, position, []));
      const sent = { count: slots.length, slotAt: (at: number) => slots[at], rawAt: (at: number) => messages[at] };
      return index.planFrom(slots.length - 3, sent, rules).at(-1)?.splices[0]?.text;
    });
    expect(texts).toEqual([3, 4, 5].map((times) => expect.stringContaining(`${times} times now`)));
  });

  it("is unchanged after a failed read of a message", () => {
    const index = openReferenceIndex();
    const sent = behindSummary(listings(3), 3);
    index.planFrom(3, sent, rules);
    expect(() => index.planFrom(3, { ...sent, count: 99 }, rules)).toThrow("no message at position 5");
    expect(index.planFrom(3, sent, rules)).toEqual(openReferenceIndex().planFrom(3, sent, rules));
  });
});

/** Decomposes messages in several steps; also returns the messages that were looked up again. */
function readInStretches(
  messages: readonly Message[],
  cuts: readonly number[],
): { contents: Content[]; asked: number[] } {
  const contents: Content[] = [];
  const asked: number[] = [];
  let state: DecomposeState = INITIAL_STATE;
  for (const cut of [...cuts.toSorted((a, b) => a - b), messages.length]) {
    const fresh = messages.slice(state.messages, Math.max(cut, state.messages));
    const continued = decomposeNext(state, fresh, (position) => {
      asked.push(position);
      return messages[position]!;
    });
    contents.push(...continued.contents);
    ({ state } = continued);
  }
  return { contents, asked };
}

/** The properties that references use. Whether a call is answered later is not known when it is read. */
function essence({ use, ...content }: Content): unknown {
  if (use === undefined) return content;
  const isAnswered = content.level === "result" ? { isError: use.isError, isCalled: use.callMessage !== -1 } : {};
  return { ...content, name: use.name, input: use.input, ...isAnswered };
}

const anyTalk: fc.Arbitrary<Conversation> = fc.oneof(anySession(), anyConversation(), anyMessyConversation());

describe("continueContents", () => {
  it("returns step by step the same contents as decomposing all messages", () => {
    fc.assert(
      fc.property(anyTalk, fc.array(fc.nat(20), { maxLength: 5 }), ({ messages }, cuts) => {
        expect(readInStretches(messages, cuts).contents.map(essence)).toEqual(
          decompose(messages).contents.map(essence),
        );
      }),
      { numRuns: 300 },
    );
  });

  it("finds the call of each result, however late it comes and however often its id was used", () => {
    const call = (id: string, path: string) => makeToolCall(id, { input: { path } });
    const messages = [
      makeUser("Go."),
      makeAssistant([makeText("Both."), call("1", "a.ts"), call("2", "b.ts")]),
      makeUser(makeToolResult("1", "the text of a")),
      makeAssistant(call("1", "c.ts")),
      makeUser([makeToolResult("1", "the text of c"), makeToolResult("2", "the text of b")]),
      makeUser(makeToolResult("1", "not requested")),
    ];
    const { contents, asked } = readInStretches(messages, [1, 2, 3, 4, 5]);
    const results = contents.filter(({ level }) => level === "result").map(({ text, use }) => [text, use?.input]);
    expect(results).toEqual([
      ["the text of a", { path: "a.ts" }],
      ["the text of c", { path: "c.ts" }],
      ["the text of b", { path: "b.ts" }],
      ["not requested", null],
    ]);
    expect(asked).toEqual([1, 1, 1, 3]);
  });

  it.each([[[3, 5, 6, 7]], [[3]], [[2, 6]]])(
    "answers the calls of the latest round first, with steps that end at %j",
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
