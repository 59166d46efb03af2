import { expect, it } from "vitest";
import { makePrompt, makeTurn } from "../testing/make.ts";
import { allText, completedSteps, latestUserText, stepMark } from "./prompt.ts";

it("finds the user's text before a tool loop", () => {
  const turns = [
    makeTurn("user", { texts: ["first"] }),
    makeTurn("user", { texts: ["do it"] }),
    makeTurn("assistant", { calls: ["a"] }),
    makeTurn("user", { results: ["a"], texts: ["a reminder beside a result"] }),
  ];
  expect(latestUserText(makePrompt({ turns }))).toBe("do it");
});

it("returns text beside a result if there is no other, and nothing without any", () => {
  const only = makeTurn("user", { results: ["a"], texts: ["go on"] });
  expect(latestUserText(makePrompt({ turns: [only] }))).toBe("go on");
  expect(latestUserText(makePrompt({ turns: [] }))).toBe("");
});

it("joins all text in order", () => {
  const turns = [makeTurn("user", { texts: ["a", "b"] }), makeTurn("assistant", { texts: ["c"] })];
  expect(allText(makePrompt({ system: "s", turns }))).toBe("s\na\nb\nc");
});

it("reads the step from ids even if earlier rounds are missing", () => {
  const id = `toolu${stepMark(7)}x`;
  const turns = [
    makeTurn("user", { texts: ["go"] }),
    makeTurn("assistant", { calls: [id] }),
    makeTurn("user", { results: [id] }),
  ];
  expect(completedSteps(makePrompt({ turns }))).toBe(7);
});

it("counts rounds since the user's latest text if ids do not encode the step", () => {
  const round = [makeTurn("assistant", { calls: ["x"] }), makeTurn("user", { results: ["x"] })];
  const turns = [...round, makeTurn("user", { texts: ["go"] }), ...round, ...round];
  expect(completedSteps(makePrompt({ turns }))).toBe(2);
});
