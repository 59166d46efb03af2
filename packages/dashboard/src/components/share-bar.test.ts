import { expect, it } from "vitest";
import { sharesOf } from "./share-bar.tsx";

it("lists the parts in the order in which they are sent, then the free rest", () => {
  expect(sharesOf({ results: 30, system: 20 }, 100)).toEqual([
    { part: "system", tokens: 20 },
    { part: "results", tokens: 30 },
    { part: "free", tokens: 50 },
  ]);
});

it("counts user and assistant messages as text", () => {
  expect(sharesOf({ user: 3, assistant: 4, text: 1, tools: 0 }, 8)).toEqual([{ part: "text", tokens: 8 }]);
});

it("counts unknown parts as other", () => {
  expect(sharesOf({ other: 5, "of-tomorrow": 2 }, 10)).toEqual([
    { part: "other", tokens: 7 },
    { part: "free", tokens: 3 },
  ]);
});

it("has no free rest when the prompt is larger than the window", () => {
  expect(sharesOf({ text: 12 }, 10)).toEqual([{ part: "text", tokens: 12 }]);
});
