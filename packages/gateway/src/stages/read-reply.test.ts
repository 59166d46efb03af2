import { describe, expect, it } from "vitest";
import { makeChat, openFitBench } from "../testing/fitting.ts";
import { encode } from "./encode.ts";
import { readReply } from "./read-reply.ts";

const { target, call } = await openFitBench();
const head = { target, encoded: encode(call(makeChat(1)), target), status: 200, headers: {} };
const whole = (text: string) => ({ ...head, isStream: false as const, body: Buffer.from(text) });

const MESSAGE = {
  id: "msg_1",
  type: "message",
  role: "assistant",
  model: "m",
  content: [{ type: "text", text: "Hello." }],
  stop_reason: "end_turn",
  usage: { input_tokens: 3, output_tokens: 4 },
};

async function* stream(...events: object[]): AsyncGenerator<Uint8Array> {
  for (const event of events) yield Buffer.from(`data: ${JSON.stringify(event)}\n\n`);
}

describe("readReply", () => {
  it("reads the same from one body and from a stream", async () => {
    const body = stream(
      { type: "message_start", message: { ...MESSAGE, content: [], stop_reason: null } },
      { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
      { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Hello." } },
      { type: "content_block_stop", index: 0 },
      { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: MESSAGE.usage },
      { type: "message_stop" },
    );
    const said = { id: "msg_1", stopReason: "end", blocks: [{ type: "text", text: "Hello." }] };
    expect(await readReply(whole(JSON.stringify(MESSAGE)))).toMatchObject(said);
    const ends: unknown[] = [];
    const onEnd = (error?: unknown) => void ends.push(error);
    expect(await readReply({ ...head, isStream: true, body, onEnd })).toMatchObject(said);
    expect(ends).toEqual([undefined]);
  });

  it("throws what is no JSON, and an error that comes with a good status", async () => {
    await expect(readReply(whole("<html>"))).rejects.toMatchObject({ code: "upstream.broken" });
    const refusal = { type: "error", error: { type: "overloaded_error", message: "Overloaded" } };
    await expect(readReply(whole(JSON.stringify(refusal)))).rejects.toMatchObject({ message: "Overloaded" });
  });
});
