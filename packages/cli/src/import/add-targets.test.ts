import { expect, it } from "vitest";
import { addTargets, type Target } from "./add-targets.ts";
import { openDraft } from "./draft.ts";

function added(...targets: Target[]) {
  const draft = openDraft({});
  addTargets("m", targets, { draft, place: "here" });
  return draft.finish();
}

it("adds a route to one target, or to several in their order", () => {
  expect(added({ upstream: "a" }).config).toMatchObject({ routes: [{ match: "m", upstream: "a" }] });
  expect(added({ upstream: "b", model: "x" }, { upstream: "a" }).config).toMatchObject({
    routes: [{ match: "m", upstream: ["b", "a"], models: { b: "x" } }],
  });
});

it("adds none where there is none", () => {
  expect(added().config).toMatchObject({ routes: [] });
});

it("names each upstream once, and says what it leaves out", () => {
  const { config, notes } = added({ upstream: "a", model: "x" }, { upstream: "a", model: "y" });
  expect(config).toMatchObject({ routes: [{ match: "m", upstream: "a", model: "x" }] });
  expect(notes).toContain('here: "y" is left out, because a serves it already with another model');
});
