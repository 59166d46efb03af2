import { gzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { keptBody } from "./kept-body.ts";

it("unpacks what was kept", async () => {
  expect(await keptBody(gzipSync('{"model":"ä"}'))).toBe('{"model":"ä"}');
});

it("rejects what was not packed", async () => {
  await expect(keptBody(Buffer.from("{}"))).rejects.toThrow("incorrect header");
});
