import type { IncomingMessage } from "node:http";
import { brotliDecompressSync, gunzipSync, inflateSync, zstdDecompressSync } from "node:zlib";

/** Reads a request's body whole and unpacks it. */
export async function readBody(request: IncomingMessage): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  const packed = Buffer.concat(chunks);
  const unpack = UNPACKERS[request.headers["content-encoding"] ?? "identity"];
  if (unpack === undefined) return packed;
  try {
    return unpack(packed);
  } catch {
    return packed;
  }
}

const UNPACKERS: Readonly<Record<string, (bytes: Buffer) => Uint8Array>> = {
  gzip: gunzipSync,
  br: brotliDecompressSync,
  zstd: zstdDecompressSync,
  deflate: inflateSync,
};
