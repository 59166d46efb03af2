import { anyText } from "@longhaul/conversation/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { WireEvent } from "../codec/stepper.ts";
import { readEvents } from "../testing/stream.ts";
import { sseReader, writeSse } from "./sse.ts";

describe("sseReader", () => {
  it("reads the same events from chunks of any size", () => {
    fc.assert(
      fc.property(anySseText(), fc.array(fc.nat()), (text, cuts) => {
        const bytes = new TextEncoder().encode(text);
        expect(readEvents(cutAt(bytes, cuts))).toEqual(readEvents([bytes]));
      }),
    );
  });

  it("reads the same events if the bytes are split inside a character or between CR and LF", () => {
    const text = ': hello\r\nevent: a\r\ndata: {"t":"Grüße 👩‍👧 汉"}\r\n\r\ndata: one\rdata: two\r\rdata: last\n\n';
    const bytes = new TextEncoder().encode(text);
    const expected: WireEvent[] = [
      { event: "a", data: '{"t":"Grüße 👩‍👧 汉"}' },
      { data: "one\ntwo" },
      { data: "last" },
    ];
    expect(readEvents([bytes])).toEqual(expected);
    expect(readEvents([...bytes].map((byte) => Uint8Array.of(byte)))).toEqual(expected);
    for (let cut = 0; cut <= bytes.length; cut++) {
      expect(readEvents([bytes.subarray(0, cut), bytes.subarray(cut)])).toEqual(expected);
    }
  });

  it("skips a line that is not part of an event", () => {
    const written = writeSse({ data: "a", bare: "{}" });
    expect(written).toBe("data: a\n\n{}\n");
    expect(readEvents([new TextEncoder().encode(written)])).toEqual([{ data: "a" }]);
  });

  it("reads back what writeSse wrote", () => {
    fc.assert(
      fc.property(fc.array(anyWireEvent()), (events) => {
        expect(readEvents([new TextEncoder().encode(events.map(writeSse).join(""))])).toEqual(events);
      }),
    );
  });

  it("skips comments, ids, retry times, a byte order mark and events without data", () => {
    const text = "\ufeffid: 7\nretry: 10\n: OPENROUTER PROCESSING\nevent: lonely\n\nevent: a\ndata:x\n\n";
    expect(readEvents([new TextEncoder().encode(text)])).toEqual([{ event: "a", data: "x" }]);
  });

  it("keeps an empty line that a byte order mark follows, whatever ends the line", () => {
    for (const end of ["\n", "\r", "\r\n"]) {
      const text = `data: a${end}${end}\ufeffdata: b${end}${end}`;
      expect(readEvents([new TextEncoder().encode(text)]), JSON.stringify(end)).toEqual([{ data: "a" }, { data: "b" }]);
    }
  });

  it("skips a byte order mark at the start of a line with chunks of any size", () => {
    const bytes = new TextEncoder().encode("\ufeffdata: a\n\ufeffdata: \ufeffb\r\ufeff\n");
    for (let cut = 0; cut <= bytes.length; cut++) {
      expect(readEvents([bytes.subarray(0, cut), bytes.subarray(cut)])).toEqual([{ data: "a\n\ufeffb" }]);
    }
  });

  it("does not return an incomplete event", () => {
    expect(readEvents([new TextEncoder().encode("data: half")])).toEqual([]);
    expect(readEvents([new TextEncoder().encode("data: half\n")])).toEqual([]);
  });

  it.each([
    ["one line", "data: ", "x"],
    ["many lines", "data: ", "x\ndata: "],
    ["a comment", ": ", "x"],
  ])("throws upstream.broken for an event of %s over the limit", (_, start, more) => {
    let [state] = sseReader.step(sseReader.start(100), new TextEncoder().encode(start));
    const grow = () => {
      for (let times = 0; times < 200; times++) [state] = sseReader.step(state, new TextEncoder().encode(more));
    };
    expect(grow).toThrow(expect.objectContaining({ code: "upstream.broken" }));
  });

  it("does not limit the total size of all events", () => {
    let state = sseReader.start(100);
    for (let times = 0; times < 50; times++) {
      const [next, events] = sseReader.step(state, new TextEncoder().encode(`data: ${"x".repeat(90)}\n\n`));
      expect(events).toHaveLength(1);
      state = next;
    }
  });

  it("can be stepped twice from one state", () => {
    const [state] = sseReader.step(sseReader.start(), new TextEncoder().encode("data: a"));
    const rest = new TextEncoder().encode("b\n\n");
    expect(sseReader.step(state, rest)[1]).toEqual([{ data: "ab" }]);
    expect(sseReader.step(state, rest)[1]).toEqual([{ data: "ab" }]);
  });
});

function cutAt(bytes: Uint8Array, cuts: readonly number[]): Uint8Array[] {
  const ends = [...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].sort((a, b) => a - b);
  return ends.map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end));
}

function anyWireEvent(): fc.Arbitrary<WireEvent> {
  const data = anyText().map((text) => text.replaceAll("\r", ""));
  return fc.oneof(
    data.map((text) => ({ data: text })),
    fc.tuple(fc.constantFrom("message_start", "ping"), data).map(([event, text]) => ({ event, data: text })),
  );
}

/** Text with every line ending, known and unknown fields, and comments. */
function anySseText(): fc.Arbitrary<string> {
  const field = fc.constantFrom("data: ", "data:", "data", "event: ", "id: ", ": ", "retry: 1", "unknown: ", "");
  const line = fc.tuple(field, fc.oneof(fc.constant(""), anyText()), fc.constantFrom("\n", "\r\n", "\r"));
  return fc.array(line.map((parts) => parts.join(""))).map((lines) => lines.join(""));
}
