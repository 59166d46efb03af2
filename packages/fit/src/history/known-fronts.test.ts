import { codecOf, splitBody } from "@longhaul/wire";
import { describe, expect, it, vi } from "vitest";
import type { Counted } from "./counted.ts";
import { type FrontLimits, frontKeys, type KnownFronts, makeKnownFronts } from "./known-fronts.ts";

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

/** A message weighs 500 bytes, and 10 when it is packed. */
const makeFronts = (limits?: FrontLimits) =>
  makeKnownFronts<number>({
    pack: (messages) => ({ byteLength: messages.length * 10, unpack: () => [...messages] }),
    bytesOf: () => 500,
    ...(limits && { limits }),
  });

/** Splits a body with the help of its known front and stores its own. The known value of a message is its length here. */
function meet(fronts: KnownFronts<number>, body: Uint8Array): readonly number[] | undefined {
  const front = fronts.find(body, codec);
  const split = splitBody(body, codec.messagesField, front?.split);
  if (split === undefined) throw new Error("the body is not split");
  const later = split.items
    .slice(front?.messages.length ?? 0)
    .map(({ from, to }) => [Buffer.from(body.subarray(from, to)).toString(), to - from] as const);
  fronts.keep(body, codec, { split, front, later });
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
    const fronts = makeFronts({ used: 10_000, packed: 10_000 });
    const [a, b] = [bodyOf(LONG, "a"), bodyOf(LONG, "b")];
    meet(fronts, a);
    const front = fronts.find(a, codec);
    if (front === undefined) throw new Error("it is not known");
    const saved = { key: "key", rest: "rest", bytes: 1 };
    fronts.change(front, { counted: COUNTED, saved });
    meet(fronts, b);
    const again = fronts.find(a, codec);
    expect(again).toEqual(front);
    expect([again?.after.size, again?.counted, again?.saved]).toEqual([4, COUNTED, saved]);
    expect(again).not.toBe(front);
    expect(fronts.find(a, codec)).toBe(again);
  });

  it("drops the least recently used front if packed ones take too much", () => {
    const fronts = makeFronts({ used: 10_000, packed: 5_000 });
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

  it.each([
    ["no messages but the last", ["a", "b", "c", "d"]],
    ["more messages than can be packed without a delay", Array.from({ length: 5_005 }, () => "many")],
  ])("keeps no front of a body with %s", (_, messages) => {
    const fronts = makeFronts();
    const body = bodyOf(messages, "m".repeat(100_000));
    meet(fronts, body);
    expect(fronts.find(body, codec)).toBeUndefined();
  });

  it("counts the sizes of blocks, and keeps no front that is too large", () => {
    const fronts = makeFronts({ used: 1e6, packed: 1e6 });
    const bodies = Array.from({ length: 40 }, (_, index) => bodyOf(LONG, `${index}`));
    const isKnown = () => bodies.map((body) => fronts.find(body, codec) !== undefined);
    const sizesOf = (blocks: number) => Array.from({ length: blocks }, () => ({ text: 1, fixed: 0 }));
    const meetAll = (counted: Counted) => {
      for (const body of bodies) {
        meet(fronts, body);
        const front = fronts.find(body, codec);
        if (front !== undefined) fronts.change(front, { counted });
      }
      return isKnown().filter(Boolean).length;
    };
    expect(meetAll(COUNTED)).toBe(40);
    const inFront = { tokenizer: "claude" as const, sizes: [sizesOf(2_000)], after: new Map() };
    expect(meetAll(inFront)).toBeLessThan(40);
    expect(meetAll({ ...inFront, sizes: [], after: new Map([["print", sizesOf(2_000)]]) })).toBeLessThan(40);
    expect(meetAll({ ...inFront, sizes: [sizesOf(70_000)] })).toBe(0);
  });

  it("counts the fields of a body", () => {
    const fronts = makeFronts({ used: 1e6, packed: 1e6 });
    const fields = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`field_${index}`, 0]));
    const list = LONG.map((content) => ({ role: "user", content }));
    const bodies = Array.from({ length: 40 }, (_, index) =>
      new TextEncoder().encode(JSON.stringify({ model: `${index}`, ...fields, messages: list })),
    );
    for (const body of bodies) meet(fronts, body);
    expect(bodies.filter((body) => fronts.find(body, codec) !== undefined).length).toBeLessThan(10);
  });

  it("keeps the front of two conversations when one of them grows, and drops that of one", () => {
    const grown = [...LONG, ...LONG];
    const alone = makeFronts();
    meet(alone, bodyOf(LONG));
    meet(alone, bodyOf(grown));
    expect(alone.find(bodyOf(LONG), codec)).toBeUndefined();
    const shared = makeFronts();
    meet(shared, bodyOf(LONG));
    meet(shared, bodyOf([...LONG.slice(0, 4), "another", "a", "b", "c"]));
    meet(shared, bodyOf(grown));
    expect(shared.find(bodyOf(LONG), codec)?.messages).toHaveLength(4);
    expect(shared.find(bodyOf(grown), codec)?.messages).toHaveLength(12);
  });

  it("compares a bounded number of fronts with a body", () => {
    const body = bodyOf(Array.from({ length: 60 }, (_, index) => String(index).repeat(10_000)));
    const fronts = makeFronts();
    const front = { split: { fields: new Map(), items: [], listFrom: 0, to: 0 }, messages: [1], after: new Map() };
    for (const key of frontKeys(body, codec)) {
      for (let index = 0; index < 8; index++) fronts.add({ key, rest: `${index}`, bytes: body.length }, { ...front });
    }
    const compared = vi.spyOn(Uint8Array.prototype, "subarray");
    expect(fronts.find(body, codec)).toBeUndefined();
    expect(compared).toHaveBeenCalledTimes(64);
    compared.mockRestore();
  });
});
