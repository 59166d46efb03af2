import { expect, it } from "vitest";
import { PASSED_PATHS } from "./passed-paths.ts";

it("lists no method and template of a dialect twice", () => {
  const named = PASSED_PATHS.map(({ wire, method, template }) => `${wire} ${method} ${template}`);
  expect(new Set(named).size).toBe(named.length);
});

it("marks every path that names a file, a batch, a stored response or the like as stateful", () => {
  const calls = PASSED_PATHS.filter(({ isStateful }) => !isStateful);
  expect(calls.filter(({ method, template }) => method !== "POST" || /\{(?!model)/.test(template))).toEqual([]);
  const kept = /files|batches|vector_stores|conversations|responses\/\{/;
  expect(PASSED_PATHS.filter(({ template, isStateful }) => kept.test(template) !== isStateful)).toEqual([]);
});
