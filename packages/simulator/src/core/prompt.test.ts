import { expect, it } from "vitest";
import { makePrompt, makeTurn } from "../testing/make.ts";
import { allText, completedSteps, latestUserText, stepMark } from "./prompt.ts";

it("finds the user's words although a loop of tools follows them", () => {
  const turns = [
    makeTurn("user", { texts: ["first"] }),
    makeTurn("user", { texts: ["do it"] }),
    makeTurn("assistant", { calls: ["a"] }),
    makeTurn("user", { results: ["a"], texts: ["a reminder beside a result"] }),
  ];
  expect(latestUserText(makePrompt({ turns }))).toBe("do it");
});

it("takes words beside a result where there are no others, and nothing where there are none", () => {
  const only = makeTurn("user", { results: ["a"], texts: ["go on"] });
  expect(latestUserText(makePrompt({ turns: [only] }))).toBe("go on");
  expect(latestUserText(makePrompt({ turns: [] }))).toBe("");
});

it("joins all text in order", () => {
  const turns = [makeTurn("user", { texts: ["a", "b"] }), makeTurn("assistant", { texts: ["c"] })];
  expect(allText(makePrompt({ system: "s", turns }))).toBe("s\na\nb\nc");
});

it("reads the step from ids although earlier rounds are gone", () => {
  const id = `toolu${stepMark(7)}x`;
  const turns = [
    makeTurn("user", { texts: ["go"] }),
    makeTurn("assistant", { calls: [id] }),
    makeTurn("user", { results: [id] }),
  ];
  expect(completedSteps(makePrompt({ turns }))).toBe(7);
});

it("counts rounds where ids say nothing, from the user's last words on", () => {
  const round = [makeTurn("assistant", { calls: ["x"] }), makeTurn("user", { results: ["x"] })];
  const turns = [...round, makeTurn("user", { texts: ["go"] }), ...round, ...round];
  expect(completedSteps(makePrompt({ turns }))).toBe(2);
});
