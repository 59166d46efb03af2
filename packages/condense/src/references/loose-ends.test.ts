import type { Conversation, Message } from "@longhaul/conversation";
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
import { anySession } from "../testing/any-session.ts";
import { continueContents, type LooseEnds, NO_MESSAGES } from "./loose-ends.ts";

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
