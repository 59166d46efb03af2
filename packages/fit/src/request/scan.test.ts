import { afterEach, beforeEach, expect, it } from "vitest";
import { scanOf, splitScanned } from "./body-bytes.ts";
import type { CallEndpoint } from "./call.ts";
import { findModelField, peekStream } from "./peek-body.ts";
import { openScanner, type Scanner } from "./scan.ts";
import { sealSummary } from "./sealed-summary.ts";

let scanner: Scanner;
beforeEach(() => {
  scanner = openScanner(0);
});
afterEach(() => scanner.close());

const CHAT: CallEndpoint = { wire: "openai-chat", action: "generate", method: "POST" };
const RESPONSES: CallEndpoint = { ...CHAT, wire: "openai-responses" };

function makeBody(value: unknown): Buffer {
  const text = JSON.stringify(value);
  const body = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
  body.write(text);
  return body;
}

it("finds the same in another thread as in the main thread", async () => {
  const message = { role: "user", content: "hello" };
  const bytes = () => makeBody({ messages: [message, message], reasoning_effort: "low", model: "m", stream: true });
  const body = await scanner.scan(bytes(), CHAT);
  const plain = bytes();
  expect(body.equals(plain)).toBe(true);
  expect(scanOf(body)).toEqual({
    wire: "openai-chat",
    values: 10,
    model: findModelField(plain, "messages"),
    stream: peekStream(plain, "messages"),
    split: splitScanned(plain, "messages"),
    mentionsReasoning: true,
    readable: undefined,
  });
});

it("returns a small body without a scan", async () => {
  const small = openScanner();
  const body = makeBody({ model: "m", messages: [] });
  expect(await small.scan(body, CHAT)).toBe(body);
  expect(scanOf(body)).toBeUndefined();
  await small.close();
});

it("makes the gateway's summaries readable and scans the result", async () => {
  const item = { type: "compaction", encrypted_content: sealSummary("We met a cat.") };
  const body = await scanner.scan(makeBody({ model: "m", input: [item] }), RESPONSES);
  const readable = scanOf(body)?.readable ?? Buffer.alloc(0);
  expect(Buffer.from(readable).toString()).toContain("We met a cat.");
  expect(scanOf(readable)).toBe(scanOf(body));
});

it("finds only the model in a passed body", async () => {
  const values = Array.from({ length: 30_000 }, () => 1);
  const body = await scanner.scan(makeBody({ model: "m", input: values }), { ...CHAT, action: "pass" });
  const span = scanOf(body)?.model;
  expect(body.toString("utf8", span?.from, span?.to)).toBe('"m"');
  expect(scanOf(body)).toMatchObject({ values: 0, split: undefined });
});
