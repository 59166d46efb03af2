import { expect, it } from "vitest";
import { sharesOf } from "./share-bar.tsx";

it("tells the parts in the order in which they are sent, and what is free", () => {
  expect(sharesOf({ results: 30, system: 20 }, 100)).toEqual([
    { part: "system", tokens: 20 },
    { part: "results", tokens: 30 },
    { part: "free", tokens: 50 },
  ]);
});

it("takes what the user and the assistant said for text", () => {
  expect(sharesOf({ user: 3, assistant: 4, text: 1, tools: 0 }, 8)).toEqual([{ part: "text", tokens: 8 }]);
});

it("loses nothing: what it has no name for is other", () => {
  expect(sharesOf({ other: 5, "of-tomorrow": 2 }, 10)).toEqual([
    { part: "other", tokens: 7 },
    { part: "free", tokens: 3 },
  ]);
});

it("leaves nothing free where the window is outgrown", () => {
  expect(sharesOf({ text: 12 }, 10)).toEqual([{ part: "text", tokens: 12 }]);
});
