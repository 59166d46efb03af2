import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { makeEventSplitter } from "./whole-events.ts";

/** Splits a text in pieces and returns the events of each piece, and the rest. */
function split(pieces: readonly string[]): { given: string[]; rest: string } {
  const splitter = makeEventSplitter(1_000_000);
  const given = pieces.flatMap((piece) => splitter.push(Buffer.from(piece))?.toString() ?? []);
  return { given, rest: splitter.rest().toString() };
}

const anyText = fc.array(fc.constantFrom("data: x", "\n", "\n\n", "\r\n", "\r\n\r\n", "\r", ": c", "é"), {
  maxLength: 30,
});

describe("makeEventSplitter", () => {
  it("keeps all bytes in their order", () => {
    fc.assert(
      fc.property(anyText, (pieces) => {
        const { given, rest } = split(pieces);
        expect(given.join("") + rest).toBe(pieces.join(""));
      }),
    );
  });

  it.each(["\n", "\r\n", "\r"])(
    "gives every event once it is complete, cut anywhere, for lines that end with %j",
    (end) => {
      const event = `event: a${end}data: x${end}${end}`;
      for (let cut = 1; cut < event.length; cut++) {
        const { given, rest } = split([event.slice(0, cut), event.slice(cut)]);
        expect([given.join(""), rest]).toEqual([event, ""]);
      }
      expect(split([...event, ...event]).given).toEqual([event, event]);
    },
  );

  it("holds an event back until it is complete", () => {
    expect(split(["data: a\n\ndata: b\n", "data: c"])).toEqual({ given: ["data: a\n\n"], rest: "data: b\ndata: c" });
  });

  it("returns the same bytes if nothing was cut", () => {
    const chunk = Buffer.from("data: a\n\n");
    expect(makeEventSplitter(9).push(chunk)?.buffer).toBe(chunk.buffer);
  });

  it("throws upstream.broken for an event over the limit, whatever its pieces", () => {
    const splitter = makeEventSplitter(100);
    splitter.push(Buffer.from(`data: ${"x".repeat(50)}`));
    const broken = expect.objectContaining({ code: "upstream.broken" });
    expect(() => splitter.push(Buffer.from("x".repeat(50)))).toThrow(broken);
  });
});
