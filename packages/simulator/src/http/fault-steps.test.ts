import { expect, it } from "vitest";
import { STEP_FAULTS } from "./fault-steps.ts";
import type { Step } from "./steps.ts";

const head: Step = { kind: "head", status: 200, headers: {} };
const write = (text: string): Step => ({ kind: "write", bytes: Buffer.from(text) });
const end: Step = { kind: "end" };
const stream = [head, write("one"), write("twoé"), write("three"), end];
const plain = [head, write('{"a":1}'), end];
const reset: Step = { kind: "reset" };
const show = (steps: readonly Step[]) =>
  steps.map((step) => (step.kind === "write" ? Buffer.from(step.bytes).toString("latin1") : step.kind)).join(" ");

it("waits before the status, before the first event, or in the middle", () => {
  expect(STEP_FAULTS["slow-first-byte"].steps(stream, "20")[0]).toEqual({ kind: "wait", ms: 20 });
  expect(STEP_FAULTS["slow-first-event"].steps(stream, "20")[1]).toEqual({ kind: "wait", ms: 20 });
  expect(STEP_FAULTS.silence.steps(stream, "")[2]).toEqual({ kind: "wait", ms: 1_000 });
});

it("says nothing more", () => {
  expect(STEP_FAULTS.stall.steps(stream)).toEqual([head, write("one"), { kind: "hang" }]);
  expect(STEP_FAULTS.hang.steps()).toEqual([{ kind: "hang" }]);
});

it("breaks the connection at every place", () => {
  expect(STEP_FAULTS["reset-before-headers"].steps()).toEqual([reset]);
  expect(STEP_FAULTS["reset-after-headers"].steps(stream)).toEqual([head, reset]);
  expect(STEP_FAULTS["reset-mid-stream"].steps(stream)).toEqual([head, write("one"), reset]);
  expect(show(STEP_FAULTS["reset-mid-event"].steps(stream))).toBe("head one two reset");
  expect(show(STEP_FAULTS["reset-mid-character"].steps(stream))).toBe("head one two\u00c3 reset");
  expect(show(STEP_FAULTS["close-mid-stream"].steps(stream))).toBe("head one close");
});

it("cuts a plain answer in half", () => {
  expect(show(STEP_FAULTS["reset-mid-stream"].steps(plain))).toBe('head {"a" reset');
  expect(show(STEP_FAULTS["reset-mid-character"].steps(plain))).toBe('head {"a" reset');
});
