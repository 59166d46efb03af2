import { readWhole } from "@longhaul/upstream";
import { codecOf } from "@longhaul/wire";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { hold } from "./hold.ts";

const codec = codecOf("anthropic-messages");
const bytes = (text: string) => new TextEncoder().encode(text);
const START =
  'event: message_start\ndata: {"type":"message_start","message":{"id":"m","type":"message","role":"assistant","model":"x","content":[],"usage":{"input_tokens":1,"output_tokens":1}}}\n\n';
const CONTENT =
  'event: content_block_start\ndata: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}\n\n';
const ERROR =
  'event: error\ndata: {"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 9 tokens > 5 maximum"}}\n\n';

async function* stream(...chunks: string[]): AsyncGenerator<Uint8Array> {
  for (const chunk of chunks) yield bytes(chunk);
}

async function textOf(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  return (await readWhole(chunks)).toString();
}

describe("hold", () => {
  it("reads up to the first content and returns the rest as it arrives", async () => {
    const { held, rest } = await hold(stream(START, CONTENT, "after"), codec, { holdMs: 1_000 });
    expect(Buffer.concat(held).toString()).toBe(START + CONTENT);
    expect(await textOf(rest)).toBe("after");
  });

  it("throws an error before content", async () => {
    await expect(hold(stream(START, ERROR), codec, { holdMs: 1_000 })).rejects.toMatchObject({
      overflow: { actualTokens: 9, limitTokens: 5 },
    });
  });

  it("leaves an error after content to the stream", async () => {
    const { rest } = await hold(stream(START, CONTENT, ERROR), codec, { holdMs: 1_000 });
    expect(await textOf(rest)).toBe(ERROR);
  });

  it("waits at most holdMs and loses nothing", async () => {
    let go = () => {};
    const pause = new Promise<void>((resolve) => {
      go = resolve;
    });
    async function* slow(): AsyncGenerator<Uint8Array> {
      yield bytes(START);
      await pause;
      yield bytes(CONTENT);
    }
    const { held, rest } = await hold(slow(), codec, { holdMs: 5 });
    expect(held).toHaveLength(1);
    go();
    expect(await textOf(rest)).toBe(CONTENT);
  });

  it("waits two seconds by default", async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    async function* silent(): AsyncGenerator<Uint8Array> {
      yield bytes(START);
      await new Promise(() => {});
    }
    let isOver = false;
    void hold(silent(), codec).then(() => {
      isOver = true;
    });
    await vi.advanceTimersByTimeAsync(1_999);
    expect(isOver).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(isOver).toBe(true);
  });

  it.each([
    ["is empty", []],
    ["ends before its content", [START]],
    ["has no events", ["<html>"]],
  ])("throws for a stream that %s", async (_, chunks) => {
    await expect(hold(stream(...chunks), codec)).rejects.toMatchObject({ code: "upstream.broken" });
  });

  it("accepts a stream that ends without content but with a stop reason", async () => {
    const end = 'event: message_delta\ndata: {"type":"message_delta","delta":{"stop_reason":"end_turn"}}\n\n';
    const stop = 'event: message_stop\ndata: {"type":"message_stop"}\n\n';
    const { held, rest } = await hold(stream(START, end, stop), codec);
    expect([Buffer.concat(held).toString(), await textOf(rest)]).toEqual([START + end + stop, ""]);
  });

  it("removes a byte order mark", async () => {
    const { held } = await hold(stream(`\ufeff${START}`, CONTENT), codec);
    expect(Buffer.concat(held).toString()).toBe(START + CONTENT);
  });

  it("throws for an event over the limit and holds no more bytes", async () => {
    const limit = { maxEventBytes: 2_000 };
    const line = stream(
      "data: ",
      ..."x"
        .repeat(30)
        .split("")
        .map((each) => each.repeat(100)),
    );
    await expect(hold(line, codec, limit)).rejects.toMatchObject({ code: "upstream.broken" });
    const { held } = await hold(stream(...Array.from({ length: 90 }, () => `: ${"x".repeat(96)}\n\n`)), codec, limit);
    expect(Buffer.concat(held).length).toBeLessThan(2_200);
  });

  it("ends a source that it rejects", async () => {
    let isEnded = false;
    async function* failing(): AsyncGenerator<Uint8Array> {
      try {
        yield bytes(ERROR);
        yield bytes(CONTENT);
      } finally {
        isEnded = true;
      }
    }
    await expect(hold(failing(), codec)).rejects.toThrow();
    expect(isEnded).toBe(true);
  });
});
