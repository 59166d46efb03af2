import { LonghaulError } from "@longhaul/conversation";
import { readWhole } from "@longhaul/upstream";
import { codecOf } from "@longhaul/wire";
import { describe, expect, it } from "vitest";
import { openRecord } from "../request/request-record.ts";
import { passOn } from "./pass-on.ts";

const codec = codecOf("anthropic-messages");
const HEAD = { status: 200, headers: { "request-id": "r", "set-cookie": "a=b" } };
const DELTA =
  'event: message_delta\ndata: {"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"input_tokens":3,"output_tokens":4}}\n\n';
const STOP = 'event: message_stop\ndata: {"type":"message_stop"}\n\n';

describe("passOn with one body", () => {
  it("keeps the bytes and finds the usage", () => {
    const record = openRecord("lh_1");
    const body = Buffer.from('{"type":"message","usage":{"input_tokens":3,"output_tokens":4}}');
    const outcome = passOn({ ...HEAD, body, isStream: false }, codec, record);
    expect(outcome).toEqual({
      status: 200,
      headers: { "request-id": "r", "content-type": "application/json" },
      body,
      isStream: false,
    });
    expect(outcome.body).toBe(body);
    expect(record.usage?.()).toMatchObject({ inputTokens: 3, outputTokens: 4 });
    expect(record.isWindowExceeded?.()).toBe(false);
  });
});

async function* streamOf(chunks: readonly string[], failure?: Error): AsyncGenerator<Uint8Array> {
  for (const chunk of chunks) yield Buffer.from(chunk);
  if (failure !== undefined) throw failure;
}

async function passed(chunks: readonly string[], failure?: Error, maxEventBytes?: number) {
  const record = openRecord("lh_1");
  const ends: (LonghaulError | undefined)[] = [];
  const answer = {
    ...HEAD,
    body: streamOf(chunks, failure),
    isStream: true as const,
    onEnd: (error?: LonghaulError) => void ends.push(error),
    maxEventBytes,
  };
  const { body } = passOn(answer, codec, record);
  const text = (await readWhole(body instanceof Uint8Array ? streamOf([]) : body)).toString();
  return { text, record, ends: ends.map((error) => error?.code) };
}

describe("passOn with a stream", () => {
  const gone = new LonghaulError("upstream.timeout", "nothing came for a minute");

  it.each([
    ["whole events", [DELTA, STOP]],
    ["events cut anywhere", [...(DELTA + STOP)]],
    ["lines that end with CR and LF", [...(DELTA + STOP).replaceAll("\n", "\r\n")]],
    ["lines that end with CR", [...(DELTA + STOP).replaceAll("\n", "\r")]],
    ["a last event without its empty line", [DELTA, STOP.trimEnd()]],
  ])("keeps the bytes of %s", async (_, chunks) => {
    const { text, record, ends } = await passed(chunks);
    expect([text, record.error, ends]).toEqual([chunks.join(""), undefined, [undefined]]);
  });

  it("passes on an event as soon as its empty line has arrived, wherever that is cut", async () => {
    const seen: string[] = [];
    const chunks = [": one\r\n", "\r", "\n", ": two\n", "\n", ": three\n", "\r\n", STOP];
    async function* source(): AsyncGenerator<Uint8Array> {
      for (const chunk of chunks) {
        seen.push(`> ${chunk}`);
        yield Buffer.from(chunk);
      }
    }
    const answer = { ...HEAD, body: source(), isStream: true as const, onEnd: () => {} };
    const { body } = passOn(answer, codec, openRecord("lh_1"));
    for await (const events of body instanceof Uint8Array ? [] : body) seen.push(Buffer.from(events).toString());
    const [one, two, three] = [": one\r\n\r\n", ": two\n\n", ": three\n\r\n"];
    const [a, b, c, d, e, f, g, h] = chunks.map((chunk) => `> ${chunk}`);
    expect(seen).toEqual([a, b, c, one, d, e, two, f, g, three, h, STOP]);
  });

  it("ends a stream that throws with an error event and drops an incomplete event", async () => {
    const { text, record, ends } = await passed([DELTA, STOP.slice(0, 20)], gone);
    expect(text.startsWith(`${DELTA}event: error\ndata: {`)).toBe(true);
    expect([record.error, ends]).toEqual([gone, ["upstream.timeout"]]);
    expect(record.usage?.()).toMatchObject({ outputTokens: 4 });
  });

  it("ends a stream without its last event with an error event", async () => {
    const { text, record, ends } = await passed([DELTA]);
    expect(text).toMatch(/event: error\ndata: .*ended before the reply was complete/);
    expect([record.error?.code, ends]).toEqual(["upstream.broken", ["upstream.broken"]]);
  });

  it("treats a stream as complete that throws after its last event", async () => {
    const { text, record, ends } = await passed([DELTA, STOP], gone);
    expect([text, record.error, ends]).toEqual([DELTA + STOP, undefined, [undefined]]);
  });

  it("records the upstream's own error event and adds none", async () => {
    const error = 'event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}\n\n';
    const { text, record, ends } = await passed([DELTA, error]);
    expect([text, record.error?.message, ends]).toEqual([DELTA + error, "Overloaded", ["upstream.busy"]]);
  });

  it("ends a stream with an error if an event is over the limit", async () => {
    const { text, ends } = await passed([DELTA, "data: ", "x".repeat(600), "x".repeat(600)], undefined, 1_000);
    expect(text.startsWith(`${DELTA}event: error\n`)).toBe(true);
    expect(ends).toEqual(["upstream.broken"]);
  });
});
