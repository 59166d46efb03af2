import { NO_USAGE } from "@longhaul/conversation/advanced";
import { codecOf, writeSse } from "@longhaul/wire";
import { describe, expect, it } from "vitest";
import { readReply } from "./read-reply.ts";

const codec = codecOf("openai-chat");
const encoder = new TextEncoder();

async function* chunks(...texts: string[]) {
  for (const text of texts) yield encoder.encode(text);
}

const choice = (content: string, finish: string | null = null) =>
  `data: ${JSON.stringify({ id: "r", model: "m", choices: [{ index: 0, delta: { content }, finish_reason: finish }] })}\n\n`;

describe("readReply", () => {
  it("reads a whole answer", async () => {
    const body = { id: "r", model: "m", choices: [{ index: 0, message: { content: "Hi" }, finish_reason: "stop" }] };
    const reply = await readReply(chunks(JSON.stringify(body)), { codec, isStream: false, maxCharacters: 1 });
    expect(reply).toMatchObject({ kind: "reply", reply: { blocks: [{ text: "Hi" }] }, isTooLong: true });
  });

  it("reads a stream to its end", async () => {
    const stream = chunks(choice("Hel"), choice("lo"), choice("", "stop"), "data: [DONE]\n\n");
    const reply = await readReply(stream, { codec, isStream: true, maxCharacters: 5 });
    expect(reply).toMatchObject({
      kind: "reply",
      reply: { blocks: [{ type: "text", text: "Hello" }], stopReason: "end" },
      isTooLong: false,
    });
  });

  it("stops reading a stream with too much text, and releases it", async () => {
    let isLetGo = false;
    async function* endless() {
      try {
        for (;;) yield encoder.encode(choice("word "));
      } finally {
        isLetGo = true;
      }
    }
    const reply = await readReply(endless(), { codec, isStream: true, maxCharacters: 20 });
    expect(reply).toMatchObject({
      kind: "reply",
      reply: { blocks: [{ type: "text", text: "word ".repeat(5) }], stopReason: "length" },
      isTooLong: true,
    });
    expect(isLetGo).toBe(true);
  });

  it("returns the error of an unreadable answer", async () => {
    const broken = await readReply(chunks("<html>"), { codec, isStream: false, maxCharacters: 5 });
    expect(broken).toMatchObject({ kind: "broken", error: { code: "upstream.broken" }, usage: NO_USAGE });
    const cut = await readReply(chunks(choice("Hel")), { codec, isStream: true, maxCharacters: 5 });
    expect(cut).toMatchObject({ kind: "broken", error: { code: "upstream.broken" } });
  });

  it("keeps the usage that was reported before a stream broke", async () => {
    const usage = { input_tokens: 7, cache_read_input_tokens: 5, output_tokens: 1 };
    const start = { type: "message_start", message: { id: "r", model: "m", content: [], usage } };
    const stream = chunks(writeSse({ event: "message_start", data: JSON.stringify(start) }));
    const reply = await readReply(stream, {
      codec: codecOf("anthropic-messages"),
      isStream: true,
      maxCharacters: 5,
    });
    expect(reply).toMatchObject({ kind: "broken", usage: { inputTokens: 7, cacheReadTokens: 5 } });
  });

  it("throws errors that are not the upstream's", async () => {
    async function* failing(): AsyncGenerator<Uint8Array> {
      yield encoder.encode(choice("Hel"));
      throw new TypeError("bug");
    }
    await expect(readReply(failing(), { codec, isStream: true, maxCharacters: 5 })).rejects.toThrow("bug");
  });
});
