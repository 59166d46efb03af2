import { codecNamed, codecOf } from "@longhaul/wire";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { watchStream, wholeUsage } from "./usage-watch.ts";

const NONE = { inputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens: 0 };

/** Streams with a text that looks like usage in each. */
const STREAMS = {
  "anthropic-messages": [
    'event: message_start\ndata: {"type":"message_start","message":{"id":"m","content":[],"usage":{"input_tokens":9,"cache_read_input_tokens":2,"output_tokens":1}}}\n\n',
    'event: content_block_delta\ndata: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"{\\"usage\\":{\\"input_tokens\\":77}}"}}\n\n',
    'event: message_delta\ndata: {"type":"message_delta","delta":{},"usage":{"output_tokens":5,"input_tokens":null}}\n\n',
    'event: message_stop\ndata: {"type":"message_stop"}\n\n',
  ],
  "openai-chat": [
    'data: {"choices":[{"delta":{"content":"höher \\"usage\\""}}],"usage":null}\r\n\r\n',
    'data: {"choices":[],"usage":{"prompt_tokens":11,"completion_tokens":5,"prompt_tokens_details":{"cached_tokens":2}}}\r\n\r\n',
    "data: [DONE]\r\n\r\n",
  ],
  "openai-responses": [
    'event: response.created\ndata: {"type":"response.created","response":{"id":"r","usage":null}}\n\n',
    'event: response.completed\ndata: {"type":"response.completed","response":{"id":"r","tools":[{"parameters":{"usage":{"input_tokens":1}}}],"usage":{"input_tokens":11,"output_tokens":5,"input_tokens_details":{"cached_tokens":2}}}}\n\n',
  ],
  gemini: [
    'data: {"candidates":[],"usageMetadata":{"promptTokenCount":11}}\n\n',
    'data: {"candidates":[],"usageMetadata":{"promptTokenCount":11,"cachedContentTokenCount":2,"candidatesTokenCount":5}}\n\n',
  ],
} as const;
const USAGE = { ...NONE, inputTokens: 9, cacheReadTokens: 2, outputTokens: 5 };

describe("watchStream", () => {
  it.each(Object.entries(STREAMS))("finds the usage in a stream of %s, however it is cut", (wire, events) => {
    const bytes = Buffer.from(events.join(""));
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: bytes.length - 1 }), { maxLength: 12 }), (cuts) => {
        const watch = watchStream(codecNamed(wire));
        const places = [0, ...cuts.toSorted((a, b) => a - b), bytes.length];
        for (const [index, from] of places.slice(0, -1).entries()) watch.see(bytes.subarray(from, places[index + 1]));
        expect(watch.usage()).toEqual(USAGE);
      }),
    );
  });

  it.each([
    [
      "in a choice",
      '{"choices":[{"delta":{},"finish_reason":"stop","usage":{"prompt_tokens":3,"completion_tokens":2}}]}',
    ],
    [
      "in x_groq",
      '{"choices":[{"delta":{}}],"usage":null,"x_groq":{"usage":{"prompt_tokens":3,"completion_tokens":2}}}',
    ],
  ])("finds the usage that a compatible server reports %s", (_, event) => {
    const watch = watchStream(codecOf("openai-chat"));
    watch.see(Buffer.from(`data: ${event}\n\ndata: [DONE]\n\n`));
    expect(watch.usage()).toEqual({ ...NONE, inputTokens: 3, outputTokens: 2 });
  });

  it("returns the usage so far, or undefined", () => {
    const watch = watchStream(codecOf("anthropic-messages"));
    expect(watch.usage()).toBeUndefined();
    watch.see(Buffer.from(STREAMS["anthropic-messages"][0]));
    expect(watch.usage()).toEqual({ ...USAGE, outputTokens: 1 });
  });

  it("skips an endless event and continues after it", () => {
    const watch = watchStream(codecOf("openai-chat"));
    for (let mib = 0; mib < 3; mib++) watch.see(Buffer.alloc(1024 * 1024, "x"));
    watch.see(Buffer.from('\n\ndata: {"usage":{"prompt_tokens":1,"completion_tokens":1}}\n\n'));
    expect(watch.usage()).toEqual({ ...NONE, inputTokens: 1, outputTokens: 1 });
  });

  it("ignores data that is not JSON", () => {
    const watch = watchStream(codecOf("openai-chat"));
    watch.see(Buffer.from('data: {"usage":\n\ndata: "usage"\n\n'));
    expect(watch.usage()).toBeUndefined();
  });
});

describe("wholeUsage", () => {
  it.each([
    [
      "anthropic-messages",
      '{"content":[{"type":"tool_use","input":{"usage":{"input_tokens":1}}}],"usage":{"input_tokens":9,"cache_read_input_tokens":2,"output_tokens":5}}',
    ],
    ["gemini", '{"usageMetadata":{"promptTokenCount":11,"cachedContentTokenCount":2,"candidatesTokenCount":5}}'],
  ])("finds the usage in a whole answer of %s", (wire, body) => {
    expect(wholeUsage(Buffer.from(body), codecNamed(wire))).toEqual(USAGE);
  });

  it.each(["", "<html>", '{"input_tokens":5}', '{"usage":7}'])("finds nothing in %j", (body) => {
    expect(wholeUsage(Buffer.from(body), codecOf("openai-chat"))).toBeUndefined();
  });
});
