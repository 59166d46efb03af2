import { DEPLOYMENTS } from "@longhaul/upstream";
import { codecOf } from "@longhaul/wire";
import { describe, expect, it } from "vitest";
import { isStreamed, readRefusal, readWhole } from "./read-answer.ts";

async function* stream(...chunks: string[]): AsyncGenerator<Uint8Array> {
  for (const chunk of chunks) yield new TextEncoder().encode(chunk);
}

describe("readWhole", () => {
  it("puts the pieces together", async () => {
    expect((await readWhole(stream("12", "345"))).toString()).toBe("12345");
  });

  it("refuses an answer that is too large", async () => {
    await expect(readWhole(stream("12345"), 4)).rejects.toMatchObject({ code: "upstream.broken" });
  });
});

describe("isStreamed", () => {
  const events = { headers: { "content-type": "text/event-stream; charset=utf-8" } };
  const other = { headers: { "content-type": "application/vnd.amazon.eventstream" } };

  it.each([
    ["events, whoever asked for them", events, "anthropic", false, true],
    ["one body", other, "anthropic", true, false],
    ["a framing of the place's own, where a stream was asked for", other, "bedrock", true, true],
    ["one body of a place that has such a framing", other, "bedrock", false, false],
  ] as const)("tells %s", (_, answer, kind, stream, expected) => {
    expect(isStreamed(answer, { deployment: DEPLOYMENTS[kind] }, { stream })).toBe(expected);
  });
});

describe("readRefusal", () => {
  const codec = codecOf("anthropic-messages");

  it("reads a refusal in the upstream's own dialect, and keeps its bytes", async () => {
    const text = '{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}';
    const { error, body } = await readRefusal({ status: 529, headers: {}, body: stream(text) }, codec);
    expect(error).toMatchObject({ code: "upstream.busy", message: "Overloaded" });
    expect(body.toString()).toBe(text);
  });

  it("makes do with words that are no JSON", async () => {
    const { error } = await readRefusal({ status: 502, headers: {}, body: stream("Bad Gateway") }, codec);
    expect(error).toMatchObject({ code: "upstream.broken" });
  });

  it("quotes no page of a proxy", async () => {
    const headers = { "content-type": "text/html" };
    const { error } = await readRefusal({ status: 502, headers, body: stream("<h1>internal-host</h1>") }, codec);
    expect(error.message).toBe("the upstream answered 502 without saying why");
  });
});
