import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from "node:zlib";
import { expect, it } from "vitest";
import type { EncodedReply } from "./encode-reply.ts";
import { BYTE_FAULTS, STEP_FAULTS } from "./fault-bytes.ts";
import type { Step } from "./steps.ts";

const stream: EncodedReply = {
  status: 200,
  headers: { "content-type": "x" },
  chunks: [Buffer.from("data: é\n\n"), Buffer.from("b\n")],
};
const plain: EncodedReply = { status: 200, headers: { "content-length": "9" }, chunks: [Buffer.from('{"a":"é"}')] };
const textOf = ({ chunks }: EncodedReply) => Buffer.concat(chunks).toString();

it("adds headers", () => {
  expect(BYTE_FAULTS["retry-after"].encoded(plain, "2").headers["retry-after"]).toBe("2");
  expect(BYTE_FAULTS["retry-after-date"].encoded(plain, "2026-11-15T10:00:00Z").headers["retry-after"]).toBe(
    "Sun, 15 Nov 2026 10:00:00 GMT",
  );
  expect(BYTE_FAULTS["retry-after-ms"].encoded(plain, "20").headers["retry-after-ms"]).toBe("20");
  expect(BYTE_FAULTS["wrong-content-type"].encoded(stream).headers["content-type"]).toBe("text/plain");
});

it("returns a page, an empty body, or a redirect", () => {
  expect(BYTE_FAULTS["html-error"].encoded()).toMatchObject({ status: 502, headers: { "content-type": "text/html" } });
  expect(BYTE_FAULTS["empty-body"].encoded(plain)).toMatchObject({ headers: { "content-length": "0" } });
  expect(BYTE_FAULTS.redirect.encoded(plain, "http://x/")).toMatchObject({
    status: 307,
    headers: { location: "http://x/" },
  });
});

it("announces more bytes than it sends, and closes", () => {
  expect(BYTE_FAULTS["wrong-length"].encoded(plain).headers["content-length"]).toBe("110");
  expect(BYTE_FAULTS["wrong-length"].steps([{ kind: "end" }, { kind: "hang" }])).toEqual([
    { kind: "close" },
    { kind: "hang" },
  ]);
});

it("truncates the body with a correct length", () => {
  const cut = BYTE_FAULTS["truncated-json"].encoded(plain);
  expect([textOf(cut), cut.headers["content-length"]]).toEqual(['{"a":', "5"]);
});

it.each([
  ["gzip", gunzipSync],
  ["br", brotliDecompressSync],
  ["zstd", zstdDecompressSync],
] as const)("packs with %s", (name, unpack) => {
  const packed = BYTE_FAULTS[name].encoded(stream);
  expect(packed.headers["content-encoding"]).toBe(name);
  expect(unpack(Buffer.concat(packed.chunks)).toString()).toBe("data: é\n\nb\n");
});

it("uses CRLF, adds a byte order mark, or adds malformed lines", () => {
  expect(textOf(BYTE_FAULTS.crlf.encoded(stream))).toBe("data: é\r\n\r\nb\r\n");
  expect(textOf(BYTE_FAULTS.bom.encoded(stream))).toBe("\ufeffdata: é\n\nb\n");
  expect(textOf(BYTE_FAULTS["malformed-sse"].encoded(stream))).toMatch(/^this is not an event field\n:\ndata\ndata: é/);
});

it("flips bytes and splits chunks", () => {
  expect(textOf(BYTE_FAULTS["bad-crc"].encoded(plain))).not.toBe(textOf(plain));
  const sliced = BYTE_FAULTS.split.encoded(stream, "");
  expect([sliced.chunks.length, textOf(sliced)]).toEqual([12, textOf(stream)]);
  expect(BYTE_FAULTS.split.encoded(stream, "5").chunks.length).toBe(3);
});

const head: Step = { kind: "head", status: 200, headers: {} };
const write = (text: string): Step => ({ kind: "write", bytes: Buffer.from(text) });
const end: Step = { kind: "end" };
const streamSteps = [head, write("one"), write("twoé"), write("three"), end];
const plainSteps = [head, write('{"a":1}'), end];
const reset: Step = { kind: "reset" };
const show = (steps: readonly Step[]) =>
  steps.map((step) => (step.kind === "write" ? Buffer.from(step.bytes).toString("latin1") : step.kind)).join(" ");

it("waits before the status, before the first event, or in the middle", () => {
  expect(STEP_FAULTS["slow-first-byte"].steps(streamSteps, "20")[0]).toEqual({ kind: "wait", ms: 20 });
  expect(STEP_FAULTS["slow-first-event"].steps(streamSteps, "20")[1]).toEqual({ kind: "wait", ms: 20 });
  expect(STEP_FAULTS.silence.steps(streamSteps, "")[2]).toEqual({ kind: "wait", ms: 1_000 });
});

it("hangs", () => {
  expect(STEP_FAULTS.stall.steps(streamSteps)).toEqual([head, write("one"), { kind: "hang" }]);
  expect(STEP_FAULTS.hang.steps()).toEqual([{ kind: "hang" }]);
});

it("breaks the connection at every point", () => {
  expect(STEP_FAULTS["reset-before-headers"].steps()).toEqual([reset]);
  expect(STEP_FAULTS["reset-after-headers"].steps(streamSteps)).toEqual([head, reset]);
  expect(STEP_FAULTS["reset-mid-stream"].steps(streamSteps)).toEqual([head, write("one"), reset]);
  expect(show(STEP_FAULTS["reset-mid-event"].steps(streamSteps))).toBe("head one two reset");
  expect(show(STEP_FAULTS["reset-mid-character"].steps(streamSteps))).toBe("head one two\u00c3 reset");
  expect(show(STEP_FAULTS["close-mid-stream"].steps(streamSteps))).toBe("head one close");
});

it("cuts a plain reply in half", () => {
  expect(show(STEP_FAULTS["reset-mid-stream"].steps(plainSteps))).toBe('head {"a" reset');
  expect(show(STEP_FAULTS["reset-mid-character"].steps(plainSteps))).toBe('head {"a" reset');
});
