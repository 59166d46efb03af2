import { type CompactionBlock, LonghaulError, NO_USAGE, type StreamEvent } from "@longhaul/conversation/advanced";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { CompactionNote } from "./strip-compaction.ts";
import { stripStream } from "./strip-compaction.ts";

const block: CompactionBlock = { type: "compaction", text: "what was said", encrypted: "seal" };
const start: StreamEvent = { type: "reply-start", id: "m", model: "c" };
const end: StreamEvent = { type: "reply-end", stopReason: "end", usage: NO_USAGE };
const compaction = (index: number): StreamEvent => ({ type: "block", index, block });
const text = (index: number, said = "yes"): StreamEvent[] => [
  { type: "text-start", index },
  { type: "text-delta", index, text: said },
  { type: "text-end", index },
];
const thinking = (index: number): StreamEvent[] => [
  { type: "thinking-start", index },
  { type: "thinking-end", index, signature: "s" },
];
const call = (index: number): StreamEvent[] => [
  { type: "tool-call-start", index, id: "c", name: "read" },
  { type: "tool-call-delta", index, json: "{}" },
  { type: "tool-call-end", index },
];

function strip(events: readonly StreamEvent[]) {
  const notes: CompactionNote[] = [];
  const stepper = stripStream((note) => void notes.push(note));
  let state = stepper.start();
  const out = events.flatMap((event) => {
    const [next, stripped] = stepper.step(state, event);
    state = next;
    return stripped;
  });
  return { events: [...out, ...stepper.end(state)], notes };
}

describe("stripStream", () => {
  it("removes the block and renumbers the others", () => {
    const given = [start, compaction(0), ...thinking(1), ...text(2), ...call(3), end];
    expect(strip(given)).toEqual({
      events: [start, ...thinking(0), ...text(1), ...call(2), end],
      notes: [{ kind: "compacted", block }],
    });
  });

  it("renumbers after several blocks, wherever they are", () => {
    const given = [start, ...text(0), compaction(1), ...text(2), compaction(3), ...call(4), end];
    expect(strip(given).events).toEqual([start, ...text(0), ...text(1), ...call(2), end]);
  });

  it("leaves every event of another stream the identical object", () => {
    const given: StreamEvent[] = [start, { type: "ping" }, ...thinking(0), ...text(1), end];
    const { events, notes } = strip(given);
    expect(events.every((event, index) => event === given[index])).toBe(true);
    expect(notes).toEqual([]);
  });

  it("passes on pings, errors and streams without content", () => {
    expect(strip([]).events).toEqual([]);
    expect(strip([{ type: "ping" }, start, { type: "ping" }, end]).events).toHaveLength(4);
    const failed: StreamEvent = { type: "error", error: new LonghaulError("upstream.broken", "x") };
    expect(strip([start, compaction(0), failed]).events).toEqual([start, failed]);
  });

  it("reports the block before the answer has ended", () => {
    expect(strip([start, compaction(0)]).notes).toEqual([{ kind: "compacted", block }]);
  });

  it("drops events about a whole block that arrive before it", () => {
    const native = { wire: "anthropic-messages", value: { delta: { type: "compaction_news", content: "secret" } } };
    const given: StreamEvent[] = [start, { type: "native", index: 0, native }, compaction(0), ...text(1).slice(0, 2)];
    const later: StreamEvent = { type: "native", index: 1, native };
    const general: StreamEvent = { type: "native", native };
    expect(strip([...given, later, general]).events).toEqual([
      start,
      ...text(0).slice(0, 2),
      { ...later, index: 0 },
      general,
    ]);
  });

  it.each<[string, StreamEvent[], boolean]>([
    ["nothing", [], true],
    ["thinking alone", thinking(1), true],
    ["blank text", text(1, "\n "), true],
    ["redacted thinking", [{ type: "block", index: 1, block: { type: "redacted-thinking", data: "x" } }], true],
    ["text", text(1), false],
    ["a call", call(1), false],
    [
      "an unknown block",
      [{ type: "block", index: 1, block: { type: "opaque", kind: "k", native: { wire: "w", value: {} } } }],
      false,
    ],
  ])("reports after %s whether the answer stayed empty", (_, events, isEmpty) => {
    const { notes } = strip([start, compaction(0), ...events, end]);
    expect(notes.some(({ kind }) => kind === "empty-answer")).toBe(isEmpty);
  });

  it("reports neither a cut answer nor one without compaction as empty", () => {
    const cut: StreamEvent = { ...end, stopReason: "length" };
    expect(strip([start, compaction(0), cut]).notes).toEqual([{ kind: "compacted", block }]);
    expect(strip([start, ...thinking(0), end]).notes).toEqual([]);
  });

  it("numbers the remaining blocks from 0 without gaps", () => {
    const kinds = fc.array(fc.constantFrom("text", "call", "thinking", "compaction"));
    fc.assert(
      fc.property(kinds, (sequence) => {
        const make = { text, call, thinking, compaction: (index: number) => [compaction(index)] };
        const given = sequence.flatMap((kind, index) => make[kind as keyof typeof make](index));
        const { events, notes } = strip([start, ...given, end]);
        const left = sequence.filter((kind) => kind !== "compaction");
        const expected = left.flatMap((kind, index) => make[kind as keyof typeof make](index));
        expect(events).toEqual([start, ...expected, end]);
        expect(notes.filter(({ kind }) => kind === "compacted")).toHaveLength(sequence.length - left.length);
      }),
    );
  });
});
