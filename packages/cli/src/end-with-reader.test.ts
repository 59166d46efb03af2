import { EventEmitter } from "node:events";
import { expect, it } from "vitest";
import { endWithReader } from "./end-with-reader.ts";

it("ends where the pipe was closed, and throws what is another failure", () => {
  const stream = new EventEmitter();
  let ends = 0;
  endWithReader(stream, () => {
    ends += 1;
  });
  stream.emit("error", Object.assign(new Error("write EPIPE"), { code: "EPIPE" }));
  expect(ends).toBe(1);
  expect(() => stream.emit("error", Object.assign(new Error("disk full"), { code: "ENOSPC" }))).toThrow("disk full");
});
