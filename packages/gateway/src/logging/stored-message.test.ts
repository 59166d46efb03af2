import { LonghaulError } from "@longhaul/conversation";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { storedMessage } from "./stored-message.ts";

const body = Buffer.from(
  JSON.stringify({ messages: [{ role: "user", content: "The launch code is 1234, keep it safe." }] }),
);
const headers = { "x-api-key": "client-key-0001", "content-type": "application/json" };

const stored = (message: string) =>
  storedMessage(new LonghaulError("upstream.refused", message), { headers, body }, (text) =>
    text.replaceAll("hush", "[redacted]"),
  );

describe("storedMessage", () => {
  it("keeps what an upstream says about a request", () => {
    expect(stored("Your credit balance is too low.")).toBe("Your credit balance is too low.");
    expect(stored("prompt is too long: 210000 tokens > 200000 maximum")).toContain("210000");
  });

  it("removes credentials", () => {
    expect(stored("invalid key client-key-0001, not hush or sk-abcdefgh1234")).toBe(
      "invalid key [redacted], not [redacted] or [redacted]",
    );
  });

  it.each([
    ["quotes the request", 'invalid content: "The launch code is 1234, keep it safe."'],
    ["quotes a header", "unexpected type application/json"],
    ["is long", "no ".repeat(400)],
  ])("is empty if the message %s", (_, message) => {
    expect(stored(message)).toBe("");
  });

  it("is empty if the message quotes thirty bytes, wherever they begin", () => {
    const random = fc.uint8Array({ minLength: 40, maxLength: 300 }).map((bytes) => Buffer.from(bytes).toString("hex"));
    fc.assert(
      fc.property(random, fc.nat(), (text, seed) => {
        const from = seed % (text.length - 30);
        const error = new LonghaulError("upstream.refused", `not valid: ${text.slice(from, from + 30)}`);
        expect(storedMessage(error, { headers: {}, body: Buffer.from(text) }, (same) => same)).toBe("");
      }),
    );
  });

  it("gives up early on a body that imitates parts of messages", () => {
    const message = "prompt is too long: 210000 tokens > 200000 maximum";
    const error = new LonghaulError("upstream.refused", message);
    const imitation = Buffer.from(`${message.slice(0, 12)}????${message.slice(16, 20)}`.repeat(50_000));
    expect(storedMessage(error, { headers, body: imitation }, (text) => text)).toBe("");
  });

  it("is kept for a long body that shares only words with the message", () => {
    const message = "the request body has more than 25,000 messages with content";
    const error = new LonghaulError("request.body-too-large", message);
    const entry = '{"role":"user","content":"messages of the body have content"},';
    expect(storedMessage(error, { headers, body: Buffer.from(entry.repeat(100_000)) }, (text) => text)).toBe(message);
  });

  it.each([
    ["empty for a body that is too large to search", 50, ""],
    ["kept for a long conversation", 4, "prompt is too long: 210000 tokens > 200000 maximum"],
  ])("is %s", (_, megabytes, expected) => {
    const large = { headers, body: Buffer.alloc(megabytes * 1_000_000, 32) };
    const error = new LonghaulError("upstream.refused", "prompt is too long: 210000 tokens > 200000 maximum");
    expect(storedMessage(error, large, (text) => text)).toBe(expected);
  });
});
