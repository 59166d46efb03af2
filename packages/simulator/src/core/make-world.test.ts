import { expect, it } from "vitest";
import { makePrompt } from "../testing/make-prompt.ts";
import { makeWorld } from "./make-world.ts";

it("has a default for everything", () => {
  expect(makeWorld({}).settings).toEqual({
    keys: [],
    summaryTokens: 300,
    thinkTokens: 24,
    deltaChars: 24,
    enforcesBinding: true,
    hasLongContext: true,
    aws: { accessKeyId: "AKIASIMULATOR", secretAccessKey: "simulator" },
  });
});

it("reads scripts that are written as directives", () => {
  const world = makeWorld({ script: ({ model }) => (model === "a" ? "say hi" : undefined) });
  expect(world.script(makePrompt({ model: "a" }))?.ending).toEqual({ kind: "say", text: "hi" });
  expect(world.script(makePrompt({ model: "b" }))).toBeUndefined();
});

it("takes other windows, another skew and another clock", () => {
  const world = makeWorld({ models: { "my-model": { window: 5_000 } }, skew: 2, now: () => 7 });
  expect(world.catalog.models.find(({ id }) => id === "my-model")?.window).toBe(5_000);
  expect(world.tokenizer.weigh("word")).toBeCloseTo(2 * (0.93 + 3 * 0.035));
  expect(world.now()).toBe(7);
});
