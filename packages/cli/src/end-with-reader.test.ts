import { EventEmitter } from "node:events";
import { expect, it } from "vitest";
import { endWithReader } from "./end-with-reader.ts";

it.each([
  ["EPIPE", undefined, ""],
  ["ENOSPC", 1, "longhaul: standard output cannot be written: the disk is full\n"],
])("ends once where writing fails with %s", (code, exitCode, told) => {
  const stream = new EventEmitter();
  const ends: unknown[] = [];
  const errors: string[] = [];
  endWithReader(stream, { end: (given) => void ends.push(given), writeError: (text) => void errors.push(text) });
  stream.emit("error", Object.assign(new Error("write"), { code }));
  expect([ends, errors.join("")]).toEqual([[exitCode], told]);
});
