import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Message } from "./message.ts";
import {
  anyConversation,
  anyMessyConversation,
  makeAssistant,
  makeDocument,
  makeImage,
  makeOpaque,
  makeSystem,
  makeThinking,
  makeToolCall,
  makeToolResult,
  makeUser,
} from "./testing/index.ts";
import { isUserAuthored, latestUserMessage, type Position, toolPairs, turns } from "./turns.ts";

const anyMessages = fc.oneof(anyConversation(), anyMessyConversation()).map((conversation) => conversation.messages);

describe("toolPairs", () => {
  it("pairs several calls of one message with results in several messages", () => {
    const messages = [
      makeUser("Look around."),
      makeAssistant(["I look.", makeToolCall("a"), makeToolCall("b", { name: "list" }), makeToolCall("c")]),
      makeUser([makeToolResult("b")]),
      makeUser([makeToolResult("c"), makeToolResult("a")]),
    ];
    expect(toolPairs(messages)).toEqual({
      pairs: [
        { callId: "a", name: "read_file", call: at(1, 1), result: at(3, 1) },
        { callId: "b", name: "list", call: at(1, 2), result: at(2, 0) },
        { callId: "c", name: "read_file", call: at(1, 3), result: at(3, 0) },
      ],
      orphans: [],
    });
  });

  it("leaves a call without a result open, and lists a result without a call as an orphan", () => {
    const messages = [makeUser(makeToolResult("gone")), makeAssistant(makeToolCall("open"))];
    expect(toolPairs(messages)).toEqual({
      pairs: [{ callId: "open", name: "read_file", call: at(1, 0) }],
      orphans: [at(0, 0)],
    });
  });

  it("pairs opaque blocks by the ids of their pairs, apart from tool calls with the same id", () => {
    const opaque = (side: "call" | "result", id: string) => ({ ...makeOpaque(`computer_${side}`), pair: { side, id } });
    const messages = [
      makeAssistant([makeToolCall("a"), opaque("call", "computer a"), opaque("call", "computer b"), makeOpaque()]),
      makeUser([opaque("result", "computer a"), makeToolResult("a"), opaque("result", "computer c")]),
    ];
    expect(toolPairs(messages)).toEqual({
      pairs: [
        { callId: "a", name: "read_file", call: at(0, 0), result: at(1, 1) },
        { callId: "computer a", name: "computer_call", call: at(0, 1), result: at(1, 0) },
        { callId: "computer b", name: "computer_call", call: at(0, 2) },
      ],
      orphans: [at(1, 2)],
    });
  });

  it("ignores a result before its call", () => {
    const messages = [makeUser(makeToolResult("a")), makeAssistant(makeToolCall("a")), makeUser(makeToolResult("a"))];
    expect(toolPairs(messages)).toMatchObject({ pairs: [{ result: at(2, 0) }], orphans: [at(0, 0)] });
  });

  it("returns one pair per call when ids restart in each reply", () => {
    const round = [
      makeAssistant([makeToolCall("0"), makeToolCall("1")]),
      makeUser([makeToolResult("0"), makeToolResult("1")]),
    ];
    expect(positions([...round, ...round])).toEqual([
      [at(0, 0), at(1, 0)],
      [at(0, 1), at(1, 1)],
      [at(2, 0), at(3, 0)],
      [at(2, 1), at(3, 1)],
    ]);
  });

  it("assigns a result to the latest round, not to an earlier call that was left open", () => {
    const messages = [
      makeAssistant(makeToolCall("0")),
      makeUser("Stop! Try again."),
      makeAssistant(makeToolCall("0")),
      makeUser(makeToolResult("0")),
    ];
    expect(positions(messages)).toEqual([
      [at(0, 0), undefined],
      [at(2, 0), at(3, 0)],
    ]);
  });

  it("answers calls with the same id in order within a round, also across messages", () => {
    const together = [
      makeAssistant([makeToolCall("x"), makeToolCall("x")]),
      makeUser([makeToolResult("x"), makeToolResult("x")]),
    ];
    expect(positions(together)).toEqual([
      [at(0, 0), at(1, 0)],
      [at(0, 1), at(1, 1)],
    ]);
    const apart = [makeAssistant(makeToolCall("x")), makeAssistant(makeToolCall("x")), makeUser(makeToolResult("x"))];
    expect(positions(apart)).toEqual([
      [at(0, 0), at(2, 0)],
      [at(1, 0), undefined],
    ]);
  });

  it("lists every call and every result exactly once, each call before its result and with its id", () => {
    fc.assert(
      fc.property(anyMessages, (messages) => {
        const { pairs, orphans } = toolPairs(messages);
        const results = pairs.flatMap((pair) => pair.result ?? []);
        expect(pairs.map((pair) => pair.call)).toEqual(positionsOf(messages, "tool-call"));
        expect([...results, ...orphans].sort(inReadingOrder)).toEqual(positionsOf(messages, "tool-result"));
        for (const { callId, call, result } of pairs) {
          expect(blockAt(messages, call)).toMatchObject({ type: "tool-call", id: callId });
          if (result === undefined) continue;
          expect(blockAt(messages, result)).toMatchObject({ type: "tool-result", callId });
          expect(inReadingOrder(call, result)).toBeLessThan(0);
        }
      }),
    );
  });
});

describe("turns", () => {
  it("splits at messages that the user wrote, and keeps an agent loop together", () => {
    const messages = [
      makeUser("First."),
      makeAssistant(makeToolCall("a")),
      makeUser(makeToolResult("a")),
      makeAssistant("Done."),
      makeUser(["Second.", makeImage()]),
      makeSystem("Be brief."),
      makeAssistant("Sure."),
    ];
    expect(turns(messages)).toEqual([
      { from: 0, to: 4 },
      { from: 4, to: 7 },
    ]);
  });

  it("treats consecutive user messages as one turn", () => {
    expect(turns([makeUser("One."), makeUser("Two."), makeAssistant()])).toEqual([{ from: 0, to: 3 }]);
  });

  it("puts messages before the first user message into a turn of their own", () => {
    expect(turns([makeAssistant("Welcome."), makeUser("Hi.")])).toEqual([
      { from: 0, to: 1 },
      { from: 1, to: 2 },
    ]);
    expect(turns([])).toEqual([]);
  });

  it("partitions the messages", () => {
    fc.assert(
      fc.property(anyMessages, (messages) => {
        const all = turns(messages);
        expect(all.flatMap(({ from, to }) => [...messages.keys()].slice(from, to))).toEqual([...messages.keys()]);
        expect(all.every(({ from, to }) => from < to)).toBe(true);
        expect(all.slice(1).every(({ from }) => isUserAuthored(messages[from]))).toBe(true);
      }),
    );
  });

  it("keeps calls and results in one turn if the client adds no text to results", () => {
    fc.assert(
      fc.property(anyConversation(), ({ messages }) => {
        const bare = messages.filter((message) => !isUserAuthored(message) || !message.blocks.some(isResult));
        const turnOf = turns(bare).flatMap(({ from, to }, turn) => Array.from({ length: to - from }, () => turn));
        for (const { call, result } of toolPairs(bare).pairs) {
          if (result !== undefined) expect(turnOf[result.message]).toBe(turnOf[call.message]);
        }
      }),
    );
  });
});

describe("isUserAuthored", () => {
  const reminder = "<system-reminder>\nThe to-do list is empty.\n</system-reminder>";
  const details = "<environment_details>\n# Current Mode\ncode\n</environment_details>\n";

  it.each<[string, Message]>([
    ["words", makeUser("Hi.")],
    ["text beside results", makeUser([makeToolResult(), "And now the other one."])],
    ["text beside a client's note", makeUser([reminder, "Fix the test."])],
    ["text after a client's note in the same block", makeUser(`${reminder}\nFix the test.`)],
    ["a note that is never closed", makeUser("<system-reminder> is the tag that I mean")],
    ["an image", makeUser(makeImage())],
    ["a document", makeUser(makeDocument())],
    ["a block of an unknown kind", makeUser(makeOpaque("input_audio"))],
  ])("is true for %s", (_, message) => {
    expect(isUserAuthored(message)).toBe(true);
  });

  it.each<[string, Message | undefined]>([
    ["no message", undefined],
    ["tool results alone", makeUser([makeToolResult(), makeToolResult("call_2")])],
    ["results of a vendor's own tools", makeUser(makeOpaque("computer_call_output"))],
    ["blank text beside results", makeUser([makeToolResult(), " \n"])],
    ["clients' notes beside results", makeUser([makeToolResult(), `${reminder}\n${reminder}`, details])],
    ["no blocks", makeUser([])],
    ["an assistant message", makeAssistant([makeThinking(), "Hello."])],
    ["system instructions", makeSystem("Be brief.")],
  ])("is false for %s", (_, message) => {
    expect(isUserAuthored(message)).toBe(false);
  });

  it("scans a long note in linear time", () => {
    expect(isUserAuthored(makeUser(`<system-reminder>${"<system-reminder>".repeat(100_000)}`))).toBe(true);
  });
});

describe("latestUserMessage", () => {
  it("finds the message that an agent loop works on, far back", () => {
    const loop = [makeAssistant(makeToolCall()), makeUser(makeToolResult())];
    expect(latestUserMessage([makeUser("Old."), makeAssistant(), makeUser("The task."), ...loop, ...loop])).toBe(2);
  });

  it("returns -1 without a user message", () => {
    expect(latestUserMessage([makeAssistant()])).toBe(-1);
  });
});

function at(message: number, block: number): Position {
  return { message, block };
}

function positions(messages: readonly Message[]): [Position, Position | undefined][] {
  return toolPairs(messages).pairs.map((pair) => [pair.call, pair.result]);
}

function positionsOf(messages: readonly Message[], type: string): Position[] {
  return messages.flatMap(({ blocks }, message) =>
    blocks.flatMap((block, index) => (block.type === type ? [at(message, index)] : [])),
  );
}

function blockAt(messages: readonly Message[], { message, block }: Position) {
  return messages[message]?.blocks[block];
}

function inReadingOrder(a: Position, b: Position): number {
  return a.message - b.message || a.block - b.block;
}

function isResult(block: { readonly type: string }): boolean {
  return block.type === "tool-result";
}
