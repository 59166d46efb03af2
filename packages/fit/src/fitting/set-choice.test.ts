import { expect, it } from "vitest";
import { setChoice } from "./set-choice.ts";

it("takes what is set for the strategy, and nothing of what is set for another", () => {
  const strategies = { sandwich: { preserveTop: 2 } };
  expect(setChoice("sandwich", { strategies })).toEqual({ strategy: "sandwich", config: { preserveTop: 2 } });
  expect(setChoice("native", { strategies })).toEqual({ strategy: "native", config: {} });
});

it("tells those that summarise how", () => {
  const set = { strategies: {}, prompt: "Tell it in short." };
  expect(setChoice("native", set).config).toEqual({ prompt: "Tell it in short." });
  expect(setChoice("middle-out", set).config).toEqual({});
});
