import { codecOf, splitBody } from "@longhaul/wire";
import { describe, expect, it } from "vitest";
import { type KnownFronts, makeKnownFronts } from "./known-fronts.ts";

const codec = codecOf("anthropic-messages");
/** Long enough for a front: eight messages of 20 KB. */
const LONG = Array.from({ length: 8 }, (_, index) => String(index).repeat(20_000));

function bodyOf(messages: readonly string[], model = "m"): Uint8Array {
  const list = messages.map((content) => ({ role: "user", content }));
  return new TextEncoder().encode(JSON.stringify({ model, messages: list, stream: true }));
}

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
    const fronts = makeKnownFronts<number>();
    expect(meet(fronts, bodyOf(LONG))).toBeUndefined();
    expect(meet(fronts, bodyOf(LONG))).toHaveLength(4);
    expect(meet(fronts, bodyOf([...LONG.slice(0, 4), "another", "end"]))).toHaveLength(4);
  });

  it("grows with the history in larger steps", () => {
    const fronts = makeKnownFronts<number>();
    meet(fronts, bodyOf(LONG));
    meet(fronts, bodyOf([...LONG, "one more"]));
    expect(meet(fronts, bodyOf(LONG))).toHaveLength(4);
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
    const fronts = makeKnownFronts<number>();
    meet(fronts, bodyOf(LONG));
    expect(meet(fronts, body)).toBeUndefined();
  });

  it("separates formats and ignores short bodies", () => {
    const fronts = makeKnownFronts<number>();
    meet(fronts, bodyOf(LONG));
    expect(fronts.find(bodyOf(LONG), codecOf("openai-chat"))).toBeUndefined();
    const short = bodyOf(["a", "b", "c", "d", "e", "f"]);
    meet(fronts, short);
    expect(meet(fronts, short)).toBeUndefined();
  });

  it("evicts the least recently used front", () => {
    const fronts = makeKnownFronts<number>(7);
    const [a, b, c] = [bodyOf(LONG, "a"), bodyOf(LONG, "b"), bodyOf(LONG, "c")];
    meet(fronts, a);
    meet(fronts, b);
    meet(fronts, a);
    meet(fronts, c);
    expect([a, b, c].map((body) => fronts.find(body, codec) !== undefined)).toEqual([true, false, true]);
  });
});
