import { mediaKind } from "@longhaul/upstream";
import { describe, expect, it } from "vitest";
import { findEndpoint } from "../request/endpoints.ts";
import { asList, jsonOutcome, type Outcome, wantsList, withSafeType } from "./outcome.ts";

it("writes a value as JSON with the given headers", () => {
  const { status, headers, body, isStream } = jsonOutcome({ a: "ö" }, 404, { "retry-after": "1" });
  expect(String(body)).toBe('{"a":"ö"}');
  expect([status, headers, isStream]).toEqual([404, { "content-type": "application/json", "retry-after": "1" }, false]);
});

describe("mediaKind", () => {
  it.each([
    [undefined, "data"],
    ["application/json; charset=utf-8", "data"],
    ["Application/Problem+JSON", "data"],
    ["text/event-stream", "data"],
    ["application/vnd.amazon.eventstream", "data"],
    ["audio/mpeg", "file"],
    ["application/octet-stream", "file"],
    ["text/plain", "file"],
    ["text/html; charset=utf-8", "unexpected"],
    ["TEXT/HTML", "unexpected"],
    ["application/xhtml+xml", "unexpected"],
    ["image/svg+xml", "unexpected"],
    ["text/xml", "unexpected"],
    ["application/json, text/html", "unexpected"],
    ["application/json; charset=utf-8, text/html", "unexpected"],
    ["text/javascript", "unexpected"],
    ["*/*", "unexpected"],
    ["", "unexpected"],
  ])("classifies %s as %s", (type, kind) => {
    expect(mediaKind(type)).toBe(kind);
  });
});

describe("withSafeType", () => {
  const outcome = (headers: Outcome["headers"]): Outcome => ({
    status: 200,
    headers,
    body: new Uint8Array(),
    isStream: false,
  });

  it("returns data unchanged", async () => {
    const data = outcome({ "content-type": "application/json" });
    expect(await withSafeType(data, false)).toBe(data);
  });

  it.each([
    [undefined, "attachment"],
    ['inline; filename="a.html"', "attachment"],
    ['attachment; filename="a.mp3"', 'attachment; filename="a.mp3"'],
  ])("sends a file with the disposition %s as %s", async (given, expected) => {
    const file = outcome({ "content-type": "audio/mpeg", ...(given && { "content-disposition": given }) });
    expect((await withSafeType(file, false)).headers["content-disposition"]).toBe(expected);
  });

  it("sends the content of an uploaded page as plain bytes", async () => {
    const { headers } = await withSafeType(outcome({ "content-type": "text/html" }), true);
    expect(headers).toEqual({ "content-type": "application/octet-stream", "content-disposition": "attachment" });
  });

  it("rejects a page and stops reading it", async () => {
    let isStopped = false;
    const body = {
      [Symbol.asyncIterator]: () => ({
        next: async () => ({ done: false as const, value: new Uint8Array() }),
        return: async () => {
          isStopped = true;
          return { done: true as const, value: undefined };
        },
      }),
    };
    const page = { ...outcome({ "content-type": "text/html" }), body };
    await expect(withSafeType(page, false)).rejects.toMatchObject({ code: "upstream.broken" });
    expect(isStopped).toBe(true);
  });
});

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
const streamed = { status: 200, headers: { "content-type": "text/event-stream", x: "y" }, isStream: true };

describe("asList", () => {
  it("lists the events' data, wherever the bytes are cut", async () => {
    for (let at = 0; at <= Buffer.byteLength(STREAM); at++) {
      const { body, headers, isStream } = asList({ ...streamed, body: cut(STREAM, at) });
      expect(await read(body)).toBe('[{"a":"é"},\r\n{"b":[1]}]');
      expect([headers, isStream]).toEqual([{ "content-type": "application/json; charset=UTF-8", x: "y" }, false]);
    }
  });

  it("returns an empty array for an empty stream", async () => {
    expect(await read(asList({ ...streamed, body: new Uint8Array() }).body)).toBe("[]");
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
  ])("returns for a Gemini client with the query %j: %s", (query, wants) => {
    expect(wantsList(gemini, query)).toBe(wants);
  });

  it("returns false for other clients", () => {
    expect(wantsList(endpointOf("/v1/messages"), "")).toBe(false);
  });
});
