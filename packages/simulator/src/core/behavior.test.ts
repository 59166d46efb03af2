import { expect, it } from "vitest";
import { behaviorIn, parseBehavior } from "./behavior.ts";

it("returns undefined for a text without directives", () => {
  expect(behaviorIn("please simulate: nothing\nhello")).toBeUndefined();
});

it("parses a loop of parallel calls with thinking and an ending", () => {
  const text = [
    "Look at the files.",
    "simulate: think 40",
    'simulate: call read {"path":"src/{step}.ts"}',
    "  simulate: call list",
    "simulate: times 3",
    "simulate: comment Looking.",
    "simulate: say All done: 3 files.",
  ].join("\n");
  expect(behaviorIn(text)).toEqual({
    thinkTokens: 40,
    isRedacted: false,
    calls: [
      { name: "read", input: { path: "src/{step}.ts" } },
      { name: "list", input: {} },
    ],
    times: 3,
    comment: "Looking.",
    ending: { kind: "say", text: "All done: 3 files." },
  });
});

it.each([
  ["echo", { kind: "echo" }],
  ["words 500", { kind: "words", tokens: 500 }],
  ["summary", { kind: "summary" }],
  ["summary 200", { kind: "summary", tokens: 200 }],
  ["json", { kind: "json" }],
  ['json {"a":[1]}', { kind: "json", value: { a: [1] } }],
  ["refuse", { kind: "refuse" }],
  ["empty", { kind: "empty" }],
  ["garbage", { kind: "garbage" }],
  ["endless", { kind: "endless" }],
  ["Good morning", { kind: "say", text: "Good morning" }],
])("parses the ending %j", (line, ending) => {
  expect(parseBehavior(line)).toEqual({ calls: [], times: 1, ending });
});

it("parses redacted thinking", () => {
  expect(parseBehavior("think 20 redacted")).toEqual({ calls: [], times: 1, thinkTokens: 20, isRedacted: true });
});
