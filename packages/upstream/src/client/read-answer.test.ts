import { deploymentsOf } from "@longhaul/upstream";
import { codecOf } from "@longhaul/wire";
import { describe, expect, it } from "vitest";
import { asBuffer, collect, isStreamed, readGoodBody, readRefusal, readWhole } from "./read-answer.ts";

async function* stream(...chunks: string[]): AsyncGenerator<Uint8Array> {
  for (const chunk of chunks) yield new TextEncoder().encode(chunk);
}

describe("readWhole", () => {
  it("joins the chunks", async () => {
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
    ["events that the request did not ask for", events, "anthropic", false, true],
    ["one body", other, "anthropic", true, false],
    ["a framing of the place's own, where a stream was asked for", other, "bedrock", true, true],
    ["one body of a deployment with its own framing", other, "bedrock", false, false],
  ] as const)("recognises %s", (_, answer, kind, stream, expected) => {
    expect(isStreamed(answer, { deployment: deploymentsOf(kind)[0] }, { stream })).toBe(expected);
  });
});

describe("readGoodBody", () => {
  const codec = codecOf("anthropic-messages");
  const REPLY = '{"type":"message","content":[],"stop_reason":"end_turn","usage":{}}';
  const read = (text: string, headers: Record<string, string> = { "content-length": "9" }) =>
    readGoodBody({ headers, body: stream(text) }, codec);

  it.each([REPLY, ` \r\n\t${REPLY}\n`])("returns the bytes of %j", async (text) => {
    expect((await read(text)).toString()).toBe(text);
  });

  it("removes a byte order mark", async () => {
    expect((await read(`\ufeff${REPLY}`)).toString()).toBe(REPLY);
  });

  it.each(["", " ", "null", "[]", "<html></html>", "{}", '{"ok":true}', REPLY.slice(0, -4)])(
    "throws upstream.broken for %j",
    async (text) => {
      await expect(read(text)).rejects.toMatchObject({ code: "upstream.broken" });
    },
  );

  it("parses a body without a length, which may have been cut after any brace", async () => {
    const cut = '{"content":[],"stop_reason":"end_turn","usage":{}';
    await expect(read(cut, {})).rejects.toMatchObject({ code: "upstream.broken" });
    expect((await read(REPLY, {})).toString()).toBe(REPLY);
  });

  it("accepts a reply without the format's marks if it decodes", async () => {
    const text = '{"type":"message","role":"assistant","content":[{"type":"text","text":"hi"}]}';
    expect((await read(text)).toString()).toBe(text);
  });

  it("throws the error that comes with status 200", async () => {
    const text = '{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}';
    await expect(read(text)).rejects.toMatchObject({ code: "upstream.busy", message: "Overloaded" });
  });

  it("accepts any object if no reply is expected", async () => {
    const counted = readGoodBody({ headers: { "content-length": "18" }, body: stream('{"input_tokens":3}') });
    expect((await counted).toString()).toBe('{"input_tokens":3}');
  });
});

describe("readRefusal", () => {
  const codec = codecOf("anthropic-messages");

  it("reads a refusal in the upstream's own format and keeps its bytes", async () => {
    const text = '{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}';
    const { error, body } = await readRefusal({ status: 529, headers: {}, body: stream(text) }, codec);
    expect(error).toMatchObject({ code: "upstream.busy", message: "Overloaded" });
    expect(body?.toString()).toBe(text);
  });

  it("uses the text of a body that is not JSON", async () => {
    const { error, body } = await readRefusal({ status: 502, headers: {}, body: stream("Bad Gateway") }, codec);
    expect([error.code, error.message, body]).toEqual(["upstream.broken", "Bad Gateway", undefined]);
  });

  it("does not quote an HTML page", async () => {
    const page = stream("<html><h1>502</h1>nginx at 10.0.0.1</html>");
    const { error } = await readRefusal({ status: 502, headers: {}, body: page }, codec);
    expect(error.message).toBe("the upstream returned status 502 with an HTML page");
  });

  it("reads the wait from the headers", async () => {
    const body = stream('{"error":{"message":"slow down"}}');
    const { error } = await readRefusal({ status: 429, headers: { "retry-after": "7" }, body }, codec);
    expect(error).toMatchObject({ code: "upstream.busy", status: 429, message: "slow down", retryAfterMs: 7_000 });
  });

  it("does not quote a proxy's HTML page", async () => {
    const headers = { "content-type": "text/html" };
    const { error } = await readRefusal({ status: 502, headers, body: stream("<h1>internal-host</h1>") }, codec);
    expect(error.message).toBe("the upstream returned status 502 without an error message");
  });
});

it("covers the bytes of a view and nothing around it", () => {
  const whole = new TextEncoder().encode("before middle after");
  const view = asBuffer(whole.subarray(7, 13));
  expect(view.toString()).toBe("middle");
  expect(view.indexOf("after")).toBe(-1);
});

it("does not copy", () => {
  const bytes = new TextEncoder().encode("cold");
  const view = asBuffer(bytes);
  bytes[0] = "b".charCodeAt(0);
  expect(view.toString()).toBe("bold");
});

const tooLarge = () => new Error("too large");

/** A stream of texts that records which of them were read. */
function streamOf(texts: readonly string[]) {
  const read: string[] = [];
  async function* stream() {
    for (const text of texts) {
      read.push(text);
      yield new TextEncoder().encode(text);
    }
  }
  return { stream: stream(), read };
}

describe("collect", () => {
  it.each([[[]], [["one"]], [["one", "", "two"]]])("joins %j", async (texts) => {
    const whole = texts.join("");
    expect(`${await collect(streamOf(texts).stream, whole.length, tooLarge)}`).toBe(whole);
  });

  it("does not copy a single chunk", async () => {
    const piece = new Uint8Array(8).subarray(2, 5);
    const whole = await collect(
      (async function* () {
        yield piece;
      })(),
      3,
      tooLarge,
    );
    expect([whole.buffer === piece.buffer, whole.byteOffset, whole.length]).toEqual([true, 2, 3]);
  });

  it("stops reading at the limit", async () => {
    const { stream, read } = streamOf(["one", "two", "three"]);
    await expect(collect(stream, 5, tooLarge)).rejects.toThrow("too large");
    expect(read).toEqual(["one", "two"]);
  });
});
