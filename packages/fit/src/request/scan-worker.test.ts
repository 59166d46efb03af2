import { afterEach, expect, it } from "vitest";
import type { CallEndpoint } from "./call.ts";
import { openScanner } from "./scan.ts";

const scanner = openScanner(0);
afterEach(() => scanner.close());

const CHAT: CallEndpoint = { wire: "openai-chat", action: "generate", method: "POST" };

function makeBody(value: unknown): Buffer {
  const text = JSON.stringify(value);
  const body = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
  body.write(text);
  return body;
}

it("transfers the memory of a body instead of copying it", async () => {
  const given = makeBody({ model: "m", messages: [] });
  await scanner.scan(given, CHAT);
  expect(given.length).toBe(0);
});

it("refuses a body over the limits", async () => {
  const body = makeBody({ model: "m", messages: [], metadata: Array.from({ length: 25_001 }, () => 1) });
  await expect(scanner.scan(body, CHAT)).rejects.toMatchObject({ code: "request.body-too-large" });
});
