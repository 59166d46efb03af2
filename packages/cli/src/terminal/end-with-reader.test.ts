import { EventEmitter } from "node:events";
import { expect, it } from "vitest";
import { endWithReader } from "./end-with-reader.ts";

function openOutput() {
  const ends: unknown[] = [];
  const errors: string[] = [];
  const stream = () => Object.assign(new EventEmitter(), { write: (text: string) => void errors.push(text) });
  const [stdout, stderr] = [stream(), stream()];
  const outlive = endWithReader({ stdout, stderr, exit: (given) => void ends.push(given) });
  const fail = (code: string) => stdout.emit("error", Object.assign(new Error("write"), { code }));
  return { outlive, fail, stderr, ends, errors };
}

it.each([
  ["EPIPE", undefined, ""],
  ["ENOSPC", 1, "longhaul: standard output cannot be written: the disk is full\n"],
])("ends once where writing fails with %s", (code, exitCode, told) => {
  const { fail, ends, errors } = openOutput();
  fail(code);
  expect([ends, errors.join("")]).toEqual([[exitCode], told]);
});

it.each([
  ["EPIPE", "its reader has closed it"],
  ["ENOSPC", "the disk is full"],
])("lets a gateway run on where writing fails with %s, and reports it once", (code, why) => {
  const { outlive, fail, stderr, ends, errors } = openOutput();
  outlive();
  fail(code);
  fail(code);
  stderr.emit("error", new Error("write"));
  const line = `longhaul: standard output cannot be written: ${why}; the gateway runs on without its log\n`;
  expect([ends, errors]).toEqual([[], [line]]);
});
