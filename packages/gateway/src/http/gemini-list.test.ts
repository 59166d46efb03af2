import { describe, expect, it } from "vitest";
import { findEndpoint } from "./endpoints.ts";
import { asList, wantsList } from "./gemini-list.ts";

async function read(body: AsyncIterable<Uint8Array> | Uint8Array): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body instanceof Uint8Array ? [body] : body) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

async function* cut(text: string, at: number): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  yield bytes.subarray(0, at);
  yield bytes.subarray(at);
}

const STREAM = 'data: {"a":"é"}\r\n\r\n: ping\n\ndata: {"b":[1]}\n\n';
const outcome = { status: 200, headers: { "content-type": "text/event-stream", x: "y" }, isStream: true };

describe("asList", () => {
  it("lists what the events say, wherever the bytes are cut", async () => {
    for (let at = 0; at <= Buffer.byteLength(STREAM); at++) {
      const { body, headers, isStream } = asList({ ...outcome, body: cut(STREAM, at) });
      expect(await read(body)).toBe('[{"a":"é"},\r\n{"b":[1]}]');
      expect([headers, isStream]).toEqual([{ "content-type": "application/json; charset=UTF-8", x: "y" }, false]);
    }
  });

  it("is a list where nothing was said", async () => {
    expect(await read(asList({ ...outcome, body: new Uint8Array() }).body)).toBe("[]");
  });
});

describe("wantsList", () => {
  const endpointOf = (path: string) => findEndpoint("POST", path)!;
  const gemini = endpointOf("/v1beta/models/m:streamGenerateContent");

  it.each([
    ["", true],
    ["?alt=json", true],
    ["?alt=sse", false],
    ["?key=k&alt=sse", false],
  ])("of a Gemini client with the query %j: %s", (query, wants) => {
    expect(wantsList(gemini, query)).toBe(wants);
  });

  it("is nothing for other clients", () => {
    expect(wantsList(endpointOf("/v1/messages"), "")).toBe(false);
  });
});
