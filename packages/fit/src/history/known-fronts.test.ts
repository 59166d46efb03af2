import { codecOf, splitBody } from "@longhaul/wire";
import { describe, expect, it } from "vitest";
import { type FrontLimits, type KnownFronts, makeKnownFronts } from "./known-fronts.ts";

const codec = codecOf("anthropic-messages");
/** Long enough for a front: eight messages of 20 KB. */
const LONG = Array.from({ length: 8 }, (_, index) => String(index).repeat(20_000));

function bodyOf(messages: readonly string[], model = "m"): Uint8Array {
  const list = messages.map((content) => ({ role: "user", content }));
  return new TextEncoder().encode(JSON.stringify({ model, messages: list, stream: true }));
}

const COUNTED = {
  tokenizer: "claude" as const,
  sizes: [
    [{ text: 1, fixed: 2 }],
    [],
    [
      { text: 3, fixed: 0.5 },
      { text: 4, fixed: 0 },
    ],
    [{ text: 5, fixed: 6 }],
  ],
  after: new Map([["a", [{ text: 7, fixed: 8 }]]]),
};

const makeFronts = (limits?: FrontLimits) =>
  makeKnownFronts<number>((messages) => ({ byteLength: messages.length, unpack: () => [...messages] }), limits);

/** Splits a body with the help of its known front and stores its own. The known value of a message is its length here. */
function meet(fronts: KnownFronts<number>, body: Uint8Array): readonly number[] | undefined {
  const front = fronts.find(body, codec);
  const split = splitBody(body, codec.messagesField, front?.split);
  if (split === undefined) throw new Error("the body is not split");
  fronts.keep(body, codec, { split, messages: split.items.map(({ from, to }) => to - from), front });
  return front?.messages;
}

describe("makeKnownFronts", () => {
  it("finds a known history up to the last messages, whatever follows", () => {
    const fronts = makeFronts();
    expect(meet(fronts, bodyOf(LONG))).toBeUndefined();
    expect(meet(fronts, bodyOf(LONG))).toHaveLength(4);
    expect(meet(fronts, bodyOf([...LONG.slice(0, 4), "another", "end"]))).toHaveLength(4);
  });

  it("grows with the history in larger steps", () => {
    const fronts = makeFronts();
    meet(fronts, bodyOf(LONG));
    const longer = ["short", "messages", "at", "the", "end"];
    meet(fronts, bodyOf([...LONG.slice(0, 4), ...longer]));
    expect(meet(fronts, bodyOf([...LONG.slice(0, 4), ...longer]))).toHaveLength(4);
    meet(fronts, bodyOf([...LONG, ...LONG]));
    expect(meet(fronts, bodyOf([...LONG, ...LONG]))).toHaveLength(12);
  });

  it.each([
    [
      "a byte in the middle is another",
      bodyOf(LONG.map((text, index) => (index === 1 ? text.replace("1", "x") : text))),
    ],
    ["the beginning is another", bodyOf(LONG, "n")],
    ["it ends before", bodyOf(LONG.slice(0, 2))],
  ])("finds nothing if %s", (_, body) => {
    const fronts = makeFronts();
    meet(fronts, bodyOf(LONG));
    expect(meet(fronts, body)).toBeUndefined();
  });

  it("separates formats and ignores short bodies", () => {
    const fronts = makeFronts();
    meet(fronts, bodyOf(LONG));
    expect(fronts.find(bodyOf(LONG), codecOf("openai-chat"))).toBeUndefined();
    const short = bodyOf(["a", "b", "c", "d", "e", "f"]);
    meet(fronts, short);
    expect(meet(fronts, short)).toBeUndefined();
  });

  it("packs fronts that are not in use, and finds them with their counts", () => {
    const fronts = makeFronts({ messages: 4, packedBytes: 10_000 });
    const [a, b] = [bodyOf(LONG, "a"), bodyOf(LONG, "b")];
    meet(fronts, a);
    const [front, counted] = [fronts.find(a, codec), COUNTED];
    if (front === undefined) throw new Error("it is not known");
    Object.assign(front, { counted, after: new Map([["hash", 20_028]]) });
    meet(fronts, b);
    const again = fronts.find(a, codec);
    expect(again).toEqual(front);
    expect(again).not.toBe(front);
    expect(fronts.find(a, codec)).toBe(again);
  });

  it("drops the least recently used front if packed ones take too much", () => {
    const fronts = makeFronts({ messages: 4, packedBytes: 1_500 });
    const [a, b, c] = [bodyOf(LONG, "a"), bodyOf(LONG, "b"), bodyOf(LONG, "c")];
    meet(fronts, a);
    meet(fronts, b);
    meet(fronts, a);
    meet(fronts, c);
    expect([a, b, c].map((body) => fronts.find(body, codec) !== undefined)).toEqual([true, false, true]);
  });

  it("compares few fronts that differ only at their ends, the latest ones", () => {
    const fronts = makeFronts();
    const bodies = Array.from({ length: 12 }, (_, index) =>
      bodyOf([...LONG.slice(0, 4), `end ${index}`, "a", "b", "c", "d"]),
    );
    for (const body of bodies) meet(fronts, body);
    expect(bodies.map((body) => fronts.find(body, codec)?.messages.length)).toEqual([
      ...Array<undefined>(4),
      ...Array<number>(8).fill(5),
    ]);
  });
});
