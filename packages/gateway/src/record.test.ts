import { expect, it } from "vitest";
import { makeNotebook } from "./record.ts";

it("replaces what was noted before under the same name", () => {
  const { note, notes } = makeNotebook();
  note({ model: "a", upstream: "one" });
  note({ upstream: "two" });
  expect(notes()).toEqual({ model: "a", upstream: "two" });
});

it("adds up calls to upstreams, and the time that they took until the first byte was sent", () => {
  const { note, notes } = makeNotebook();
  note({ attempts: 1, waitedMs: 10 });
  note({ waitedMs: 5 });
  note({ attempts: 1, waitedMs: 20 });
  note({ firstByteMs: 50 });
  note({ waitedMs: 100 });
  expect(notes()).toEqual({ attempts: 2, waitedMs: 35, firstByteMs: 50 });
});
