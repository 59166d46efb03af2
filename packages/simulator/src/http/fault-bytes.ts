import { brotliCompressSync, gzipSync, zstdCompressSync } from "node:zlib";
import type { Dialect, Rejection, Reply } from "../core/api.ts";
import type { EncodedReply } from "./encode-reply.ts";
import type { Step } from "./steps.ts";

const HTML = "<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>";
const MISSING_BYTES = 100;

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
  gzip: { encoded: (encoded) => compressed(encoded, "gzip", gzipSync) },
  br: { encoded: (encoded) => compressed(encoded, "br", brotliCompressSync) },
  zstd: { encoded: (encoded) => compressed(encoded, "zstd", zstdCompressSync) },
  crlf: { encoded: (encoded) => withText(encoded, (text) => text.replaceAll("\n", "\r\n")) },
  bom: {
    encoded: (encoded) => {
      const [first = Buffer.alloc(0), ...rest] = encoded.chunks;
      return withChunks(encoded, [Buffer.concat([Buffer.from("\ufeff"), first]), ...rest]);
    },
  },
  "malformed-sse": {
    encoded: (encoded) => withText(encoded, (text) => `this is not an event field\n:\ndata\n${text}`),
  },
  "bad-crc": { encoded: (encoded) => withChunks(encoded, encoded.chunks.map(flipLastByte)) },
  split: {
    encoded: (encoded, value) => withChunks(encoded, slices(Buffer.concat(encoded.chunks), Number(value) || 1)),
  },
} as const satisfies Readonly<Record<string, FaultKind>>;

function withHeaders(encoded: EncodedReply, headers: Readonly<Record<string, string>>): EncodedReply {
  return { ...encoded, headers: { ...encoded.headers, ...headers } };
}

/** Replaces the bytes; the content length of a plain reply stays correct. */
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

function compressed(encoded: EncodedReply, encoding: string, pack: (bytes: Buffer) => Uint8Array): EncodedReply {
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

const DEFAULT_DELAY_MS = 1_000;

export const STEP_FAULTS = {
  "slow-first-byte": { steps: (steps, value) => [wait(value), ...steps] },
  "slow-first-event": { steps: (steps, value) => steps.toSpliced(headAt(steps) + 1, 0, wait(value)) },
  silence: { steps: (steps, value) => steps.toSpliced(middleAt(steps), 0, wait(value)) },
  stall: { steps: (steps) => [...untilMiddle(steps), { kind: "hang" }] },
  hang: { steps: () => [{ kind: "hang" }] },
  "reset-before-headers": { steps: () => [{ kind: "reset" }] },
  "reset-after-headers": { steps: (steps) => [...steps.slice(0, headAt(steps) + 1), { kind: "reset" }] },
  "reset-mid-stream": { steps: (steps) => [...untilMiddle(steps), { kind: "reset" }] },
  "reset-mid-event": { steps: (steps) => [...untilMiddle(steps, halfOf), { kind: "reset" }] },
  "reset-mid-character": { steps: (steps) => [...untilCharacter(steps), { kind: "reset" }] },
  "close-mid-stream": { steps: (steps) => [...untilMiddle(steps), { kind: "close" }] },
} as const satisfies Readonly<Record<string, FaultKind>>;

function wait(value: string): Step {
  return { kind: "wait", ms: Number(value) || DEFAULT_DELAY_MS };
}

function headAt(steps: readonly Step[]): number {
  return steps.findIndex(({ kind }) => kind === "head");
}

/** Index of the middle write; a plain reply has only one. */
function middleAt(steps: readonly Step[]): number {
  const writes = steps.flatMap(({ kind }, at) => (kind === "write" ? [at] : []));
  return writes[Math.floor(writes.length / 2)] ?? steps.length;
}

/** Everything before the middle write; half the bytes of a plain reply. */
function untilMiddle(steps: readonly Step[], partOf?: (bytes: Uint8Array) => Uint8Array): readonly Step[] {
  const at = middleAt(steps);
  const before = steps.slice(0, at);
  const step = steps[at];
  const isOnly = !before.some(({ kind }) => kind === "write");
  const part = partOf ?? (isOnly ? halfOf : undefined);
  return step?.kind === "write" && part !== undefined ? [...before, { ...step, bytes: part(step.bytes) }] : before;
}

function halfOf(bytes: Uint8Array): Uint8Array {
  return bytes.subarray(0, Math.ceil(bytes.length / 2));
}

/** Everything up to the first byte of the first multi-byte character, or up to the middle. */
function untilCharacter(steps: readonly Step[]): readonly Step[] {
  const isLead = (byte: number) => byte >= 0xc0;
  const at = steps.findIndex((step) => step.kind === "write" && step.bytes.some(isLead));
  const step = steps[at];
  if (step?.kind !== "write") return untilMiddle(steps, halfOf);
  return [...steps.slice(0, at), { ...step, bytes: step.bytes.subarray(0, step.bytes.findIndex(isLead) + 1) }];
}

/** One way in which an upstream can fail, at any of these levels. `value` is the fault's parameter. */
export interface FaultKind {
  /** Rejects the request instead of answering it. */
  readonly refuse?: (value: string) => Rejection;
  readonly reply?: (reply: Reply, value: string, dialect: Dialect) => Reply;
  readonly encoded?: (encoded: EncodedReply, value: string) => EncodedReply;
  readonly steps?: (steps: readonly Step[], value: string) => readonly Step[];
}
