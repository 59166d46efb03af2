import type { JsonObject, StreamEvent } from "@longhaul/conversation/advanced";
import { describe, expect, it } from "vitest";
import { type Call, callPieces, decodeCallPieces, endCalls } from "./stream-calls.ts";

function run(...deltas: readonly JsonObject[][]): StreamEvent[] {
  let calls: readonly Call[] = [];
  let started = 0;
  const events: StreamEvent[] = [];
  for (const tool_calls of deltas) {
    const next = decodeCallPieces(calls, started, callPieces({ tool_calls }));
    ({ calls, started } = next);
    events.push(...next.events);
  }
  return [...events, ...endCalls(calls)];
}

const start = (index: number, id: string, name: string): StreamEvent => ({ type: "tool-call-start", index, id, name });
const delta = (index: number, json: string): StreamEvent => ({ type: "tool-call-delta", index, json });
const end = (index: number): StreamEvent => ({ type: "tool-call-end", index });

describe("decodeCallPieces", () => {
  it("separates calls by index, in any order of pieces", () => {
    expect(
      run(
        [{ index: 0, id: "a", type: "function", function: { name: "f", arguments: "" } }],
        [{ index: 1, id: "b", type: "function", function: { name: "g", arguments: "{" } }],
        [
          { index: 0, function: { arguments: "{}" } },
          { index: 1, function: { arguments: "}" } },
        ],
      ),
    ).toEqual([start(0, "a", "f"), start(1, "b", "g"), delta(1, "{"), delta(0, "{}"), delta(1, "}"), end(0), end(1)]);
  });

  it("separates calls by id if the server sends no index, or the same for all", () => {
    const pieces = (number: JsonObject): JsonObject[][] => [
      [{ ...number, id: "a", function: { name: "f", arguments: "{" } }],
      [{ ...number, function: { arguments: "}" } }],
      [{ ...number, id: "b", function: { name: "f", arguments: "{}" } }],
    ];
    const expected = [
      start(0, "a", "f"),
      delta(0, "{"),
      delta(0, "}"),
      start(1, "b", "f"),
      delta(1, "{}"),
      end(0),
      end(1),
    ];
    expect(run(...pieces({}))).toEqual(expected);
    expect(run(...pieces({ index: 0 }))).toEqual(expected);
  });

  it("continues a call whose id and name the server repeats", () => {
    const piece = (text: string) => ({ index: 0, id: "a", function: { name: "f", arguments: text } });
    expect(run([piece("{")], [piece("}")])).toEqual([start(0, "a", "f"), delta(0, "{"), delta(0, "}"), end(0)]);
    expect(
      run([{ id: "a", function: { name: "f", arguments: "{" } }], [{ id: "a", function: { arguments: "}" } }]),
    ).toEqual([start(0, "a", "f"), delta(0, "{"), delta(0, "}"), end(0)]);
  });

  it("waits for the name and then emits the earlier arguments", () => {
    expect(
      run(
        [{ index: 0, id: "a", function: { arguments: "{" } }],
        [{ index: 0, function: { name: "f", arguments: "}" } }],
      ),
    ).toEqual([start(0, "a", "f"), delta(0, "{}"), end(0)]);
    expect(run([{ index: 0, id: "a" }])).toEqual([]);
  });

  it("creates a missing id and stringifies arguments sent as an object", () => {
    expect(
      run([
        { index: 0, function: { name: "f", arguments: { a: 1 } } },
        { index: 1, function: { name: "f" } },
      ]),
    ).toEqual([start(0, "call_0", "f"), delta(0, '{"a":1}'), start(1, "call_1", "f"), end(0), delta(1, "{}"), end(1)]);
  });

  it("decodes free text, Gemini's signature and deprecated function calls", () => {
    expect(run([{ index: 0, id: "a", custom: { name: "c", input: "free" } }])).toEqual([
      { ...start(0, "a", "c"), freeText: true },
      delta(0, "free"),
      end(0),
    ]);
    expect(
      run([{ index: 0, id: "a", function: { name: "f" }, extra_content: { google: { thought_signature: "s" } } }])[0],
    ).toEqual({
      ...start(0, "a", "f"),
      signature: "s",
    });
    expect(decodeCallPieces([], 0, callPieces({ function_call: { name: "f", arguments: "{}" } })).events).toEqual([
      start(0, "call_0", "f"),
      delta(0, "{}"),
    ]);
  });
});
