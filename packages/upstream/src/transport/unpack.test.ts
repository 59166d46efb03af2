import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from "node:zlib";
import { LonghaulError } from "@longhaul/conversation";
import { describe, expect, it } from "vitest";
import type { RawAnswer } from "./dispatch.ts";
import { unpack } from "./unpack.ts";

async function* inPieces(bytes: Uint8Array, size = 7): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

function packed(encoding: string, body: RawAnswer["body"]): RawAnswer {
  return { status: 200, headers: { "content-encoding": encoding, "content-length": "9", "x-request-id": "r" }, body };
}

async function textOf({ body }: RawAnswer): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

const TEXT = "Grüße ".repeat(500);

describe("unpack", () => {
  it.each([
    ["gzip", gzipSync(TEXT)],
    ["X-GZip", gzipSync(TEXT)],
    ["deflate", deflateSync(TEXT)],
    ["br", brotliCompressSync(TEXT)],
    ["zstd", zstdCompressSync(TEXT)],
    ["gzip, br", brotliCompressSync(gzipSync(TEXT))],
    ["identity, gzip", gzipSync(TEXT)],
    ["identity", Buffer.from(TEXT)],
  ])("decompresses %s", async (encoding, bytes) => {
    const answer = unpack(packed(encoding, inPieces(bytes)));
    expect(await textOf(answer)).toBe(TEXT);
    expect(answer.headers["content-encoding"]).toBeUndefined();
    expect(answer.headers["x-request-id"]).toBe("r");
  });

  it("returns an uncompressed answer unchanged", () => {
    const answer = { status: 200, headers: {}, body: inPieces(Buffer.from("x")) };
    expect(unpack(answer)).toBe(answer);
  });

  it.each(["rot13", "gzip, gzip, gzip, gzip"])("throws upstream.broken for %s", (encoding) => {
    const broken = expect.objectContaining({ code: "upstream.broken" });
    expect(() => unpack(packed(encoding, inPieces(gzipSync(TEXT))))).toThrow(broken);
  });

  it.each([
    ["that is cut", gzipSync(TEXT).subarray(0, 30)],
    ["that is something else", Buffer.from("<html>")],
  ])("throws upstream.broken for a body %s", async (_, bytes) => {
    await expect(textOf(unpack(packed("gzip", inPieces(bytes))))).rejects.toMatchObject({ code: "upstream.broken" });
  });

  it("passes on network errors", async () => {
    const gone = new LonghaulError("upstream.timeout", "silent");
    async function* failing(): AsyncGenerator<Uint8Array> {
      yield gzipSync(TEXT).subarray(0, 20);
      throw gone;
    }
    await expect(textOf(unpack(packed("gzip", failing())))).rejects.toBe(gone);
  });

  it("decompresses no more of an endless body than is read, and ends the source", async () => {
    let isEnded = false;
    const bomb = gzipSync(Buffer.alloc(1024 * 1024));
    async function* source(): AsyncGenerator<Uint8Array> {
      try {
        for (;;) yield bomb;
      } finally {
        isEnded = true;
      }
    }
    let bytes = 0;
    for await (const chunk of unpack(packed("gzip", source())).body) {
      bytes += chunk.length;
      if (bytes > 3 * 1024 * 1024) break;
    }
    await expect.poll(() => isEnded).toBe(true);
  });

  it("returns flushed data without waiting for more", async () => {
    const { promise: never } = Promise.withResolvers<void>();
    const { createGzip, constants } = await import("node:zlib");
    const gzip = createGzip({ flush: constants.Z_SYNC_FLUSH });
    gzip.write("data: one\n\n");
    async function* source(): AsyncGenerator<Uint8Array> {
      for await (const chunk of gzip) {
        yield chunk;
        if (chunk.length > 12) await never;
      }
    }
    const iterator = unpack(packed("gzip", source())).body[Symbol.asyncIterator]();
    expect(Buffer.from((await iterator.next()).value ?? "").toString()).toBe("data: one\n\n");
  });
});
