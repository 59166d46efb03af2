import { expect, it } from "vitest";
import { stepsOf } from "./steps.ts";

const bytes = Buffer.from("x");
const head = { kind: "head", status: 200, headers: {} };
const write = { kind: "write", bytes };

it("sends at once without a pace", () => {
  const steps = stepsOf({ status: 200, headers: {}, chunks: [bytes, bytes] }, { firstByteMs: 0, gapMs: 0 });
  expect(steps).toEqual([head, write, write, { kind: "end" }]);
});

it("waits before the status and between events", () => {
  const steps = stepsOf({ status: 200, headers: {}, chunks: [bytes, bytes] }, { firstByteMs: 50, gapMs: 10 });
  expect(steps).toEqual([{ kind: "wait", ms: 50 }, head, write, { kind: "wait", ms: 10 }, write, { kind: "end" }]);
});

it("has no gaps in a plain answer", () => {
  const headers = { "content-length": "2" };
  const steps = stepsOf({ status: 200, headers, chunks: [bytes, bytes] }, { firstByteMs: 0, gapMs: 10 });
  expect(steps.some(({ kind }) => kind === "wait")).toBe(false);
});
