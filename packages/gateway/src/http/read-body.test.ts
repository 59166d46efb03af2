import { Readable } from "node:stream";
import { setImmediate as nextTurn } from "node:timers/promises";
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { type BodySource, readBody } from "./read-body.ts";

const text = JSON.stringify({ messages: ["höher 😀".repeat(500)] });

function makeSource(bytes: Buffer, headers: BodySource["headers"] = {}): BodySource {
  const chunks = [bytes.subarray(0, 10), bytes.subarray(10)].filter((chunk) => chunk.length > 0);
  return Object.assign(Readable.from(chunks), { headers });
}

function fail(message: string): never {
  throw new Error(message);
}

describe("readBody", () => {
  it.each([
    ["identity", (bytes: Buffer) => bytes],
    ["gzip", gzipSync],
    ["deflate", deflateSync],
    ["br", brotliCompressSync],
    ["zstd", zstdCompressSync],
    ["GZIP ", gzipSync],
  ])("reads a body with the encoding %s", async (encoding, pack) => {
    const source = makeSource(pack(Buffer.from(text)), { "content-encoding": encoding });
    expect((await readBody(source, { limitBytes: 1_000_000 })).toString()).toBe(text);
  });

  it.each([
    ["announces too much", { limitBytes: 10 }],
    ["is over the memory for all", { limitBytes: 1_000_000, claim: { grow: () => fail("full"), release: () => {} } }],
  ])("survives a connection that breaks after a compressed body that %s", async (_, limits) => {
    const source = Object.assign(new Readable({ read: () => {} }), {
      headers: { "content-encoding": "gzip", "content-length": "99999" },
    });
    source.on("error", () => {});
    await expect(readBody(source, limits)).rejects.toThrow();
    source.destroy(new Error("reset"));
    await new Promise((resolve) => source.once("close", resolve));
    // An unhandled error would be thrown by now.
    await nextTurn();
  });

  it("does not wait for a closed request", async () => {
    const source = Object.assign(new Readable({ read: () => {} }), { headers: {} });
    source.destroy();
    await new Promise((resolve) => source.once("close", resolve));
    await expect(readBody(source, { limitBytes: 10 })).rejects.toMatchObject({ code: "request.malformed" });
  });

  it("reads a body without content", async () => {
    expect(await readBody(makeSource(Buffer.alloc(0)), { limitBytes: 10 })).toHaveLength(0);
  });

  it.each([
    ["that says so", makeSource(Buffer.from("{}"), { "content-length": "2097153" })],
    ["that is", makeSource(Buffer.alloc(2_097_153))],
    ["that unpacks to more", makeSource(gzipSync(Buffer.alloc(2_097_153)), { "content-encoding": "gzip" })],
  ])("rejects a body over the limit, %s", async (_, source) => {
    await expect(readBody(source, { limitBytes: 2_097_152 })).rejects.toMatchObject({
      code: "request.body-too-large",
      status: 413,
      message: expect.stringContaining("2 MiB"),
    });
  });

  it.each([
    ["damaged", "gzip", "could not be read"],
    ["of an unknown encoding", "rot13", 'content-encoding "rot13" is not supported'],
  ])("rejects a body that is %s", async (_, encoding, why) => {
    const source = makeSource(Buffer.from("not packed at all"), { "content-encoding": encoding });
    await expect(readBody(source, { limitBytes: 1_000 })).rejects.toMatchObject({
      code: "request.malformed",
      message: expect.stringContaining(why),
    });
  });

  it("rejects a truncated body", async () => {
    const broken = new Readable({
      read() {
        this.destroy(new Error("reset"));
      },
    });
    await expect(readBody(Object.assign(broken, { headers: {} }), { limitBytes: 10 })).rejects.toMatchObject({
      code: "request.malformed",
    });
  });
});
