import { brotliCompressSync, gzipSync, zstdCompressSync } from "node:zlib";
import type { EncodedReply } from "./encode-reply.ts";
import type { FaultKind } from "./fault-kind.ts";

const HTML = "<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>";
const MISSING_BYTES = 100;

/** Faults in status, headers and bytes. */
export const BYTE_FAULTS = {
  "retry-after": { encoded: (encoded, value) => withHeaders(encoded, { "retry-after": value }) },
  "retry-after-date": {
    encoded: (encoded, value) => withHeaders(encoded, { "retry-after": new Date(value).toUTCString() }),
  },
  "retry-after-ms": { encoded: (encoded, value) => withHeaders(encoded, { "retry-after-ms": value }) },
  "html-error": {
    encoded: () => withBody({ status: 502, headers: { "content-type": "text/html" }, chunks: [] }, Buffer.from(HTML)),
  },
  "empty-body": { encoded: (encoded) => withBody(encoded, Buffer.alloc(0)) },
  "wrong-content-type": { encoded: (encoded) => withHeaders(encoded, { "content-type": "text/plain" }) },
  "wrong-length": {
    encoded: (encoded) => {
      const bytes = Buffer.concat(encoded.chunks);
      return withHeaders({ ...encoded, chunks: [bytes] }, { "content-length": `${bytes.length + MISSING_BYTES}` });
    },
    steps: (steps) => steps.map((step) => (step.kind === "end" ? { kind: "close" } : step)),
  },
  "truncated-json": {
    encoded: (encoded) => {
      const bytes = Buffer.concat(encoded.chunks);
      return withBody(encoded, bytes.subarray(0, Math.floor(bytes.length / 2)));
    },
  },
  redirect: {
    encoded: (_encoded, value) =>
      withBody({ status: 307, headers: { location: value || "/elsewhere" }, chunks: [] }, Buffer.alloc(0)),
  },
  gzip: { encoded: (encoded) => packed(encoded, "gzip", gzipSync) },
  br: { encoded: (encoded) => packed(encoded, "br", brotliCompressSync) },
  zstd: { encoded: (encoded) => packed(encoded, "zstd", zstdCompressSync) },
  crlf: { encoded: (encoded) => withText(encoded, (text) => text.replaceAll("\n", "\r\n")) },
  bom: {
    encoded: (encoded) => {
      const [first = Buffer.alloc(0), ...rest] = encoded.chunks;
      return withChunks(encoded, [Buffer.concat([Buffer.from("\ufeff"), first]), ...rest]);
    },
  },
  "malformed-sse": {
    encoded: (encoded) => withText(encoded, (text) => `this is no field of an event\n:\ndata\n${text}`),
  },
  "bad-crc": { encoded: (encoded) => withChunks(encoded, encoded.chunks.map(flipLastByte)) },
  split: {
    encoded: (encoded, value) => withChunks(encoded, slices(Buffer.concat(encoded.chunks), Number(value) || 1)),
  },
} as const satisfies Readonly<Record<string, FaultKind>>;

function withHeaders(encoded: EncodedReply, headers: Readonly<Record<string, string>>): EncodedReply {
  return { ...encoded, headers: { ...encoded.headers, ...headers } };
}

/** The same events in other bytes; the length of a plain answer is kept right. */
function withChunks(encoded: EncodedReply, chunks: readonly Uint8Array[]): EncodedReply {
  const isPlain = encoded.headers["content-length"] !== undefined;
  const length = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
  return withHeaders({ ...encoded, chunks }, isPlain ? { "content-length": `${length}` } : {});
}

function withBody(encoded: EncodedReply, bytes: Uint8Array): EncodedReply {
  return withHeaders({ ...encoded, chunks: [bytes] }, { "content-length": `${bytes.length}` });
}

function withText(encoded: EncodedReply, change: (text: string) => string): EncodedReply {
  return withChunks(
    encoded,
    encoded.chunks.map((chunk) => Buffer.from(change(Buffer.from(chunk).toString()))),
  );
}

function packed(encoded: EncodedReply, encoding: string, pack: (bytes: Buffer) => Uint8Array): EncodedReply {
  return withHeaders(withChunks(encoded, [pack(Buffer.concat(encoded.chunks))]), { "content-encoding": encoding });
}

function flipLastByte(chunk: Uint8Array): Uint8Array {
  const flipped = Uint8Array.from(chunk);
  flipped[flipped.length - 1] = (flipped.at(-1) ?? 0) ^ 0xff;
  return flipped;
}

function slices(bytes: Buffer, size: number): readonly Uint8Array[] {
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) => bytes.subarray(at * size, (at + 1) * size));
}
