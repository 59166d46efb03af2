import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from "node:zlib";
import { type Gateway, openGateway } from "@longhaul/gateway";
import { afterEach, describe, expect, it } from "vitest";
import { RAW_FORMATS, type RawFormat } from "./raw-formats.ts";
import { head, openRawUpstream, type RawAnswer, stream, whole } from "./raw-upstream.ts";

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

interface Rig {
  readonly gateway: Gateway;
  readonly heads: string[];
  readonly lines: string[];
  ask(client: RawFormat, isStream: boolean): Promise<Response>;
}

/** Opens a gateway with one upstream that sends this reply in one format. */
async function openRig(format: RawFormat, answer: RawAnswer, settings: Record<string, unknown> = {}): Promise<Rig> {
  const upstream = await openRawUpstream();
  upstream.answerWith(answer);
  const { user, ...more } = { user: "", ...settings };
  const baseUrl = `${upstream.url.replace("//", `//${user}`)}${format.basePath}`;
  const up = { ...format.upstream, baseUrl, ...(user === "" && { apiKey: "key" }), maxRetries: 0, ...more };
  const lines: string[] = [];
  const file = { server: { port: 0 }, upstreams: { up }, routes: [{ match: "*", upstream: "up" }] };
  const gateway = await openGateway({ file }, { writeLog: (line) => void lines.push(line) });
  closers.push(upstream.close, () => gateway.close());
  const ask = (client: RawFormat, isStream: boolean) =>
    fetch(gateway.url + client.path("m", isStream), {
      method: "POST",
      headers: { "content-type": "application/json", authorization: "Bearer client", "accept-encoding": "gzip, br" },
      body: JSON.stringify(client.body("m", isStream)),
      redirect: "manual",
    });
  return { gateway, heads: upstream.heads, lines, ask };
}

const eventsOf = ({ opening, text, ending }: RawFormat) => [...opening, text, ...ending];
const other = (format: RawFormat) => RAW_FORMATS[(RAW_FORMATS.indexOf(format) + 1) % RAW_FORMATS.length] ?? format;

describe.each(RAW_FORMATS.map((format) => [format.wire, format] as const))("an answer of %s", (_, format) => {
  it.each([
    ["gzip", gzipSync],
    ["br", brotliCompressSync],
    ["zstd", zstdCompressSync],
    ["deflate", deflateSync],
    ["gzip, br", (text: string) => brotliCompressSync(gzipSync(text))],
  ])("is decompressed from %s", async (encoding, pack) => {
    const packed = await openRig(format, whole(pack(format.whole), { "content-encoding": encoding }));
    const answer = await packed.ask(format, false);
    expect([answer.headers.get("content-encoding"), await answer.text()]).toEqual([null, format.whole]);
    expect(packed.heads[0]).toContain("accept-encoding: identity");
    const events = eventsOf(format).join("");
    const streamed = await openRig(format, stream([pack(events)], { "content-encoding": encoding }));
    expect(await (await streamed.ask(format, true)).text()).toBe(events);
  });

  it("is limited in size after decompression", async () => {
    const bomb = gzipSync(`{"x":"${"0".repeat(70 * 1024 * 1024)}"}`);
    const { ask } = await openRig(format, whole(bomb, { "content-encoding": "gzip" }));
    expect((await ask(format, false)).status).toBe(502);
  });

  it("ends with an error at an event over the limit", async () => {
    const line = (socket: Parameters<RawAnswer>[0]) => {
      socket.write(head("200 OK", { "content-type": "text/event-stream" }));
      socket.write([...format.opening, format.text, "data: "].join(""));
      const chunk = "x".repeat(256 * 1024);
      const more = () => {
        while (socket.writable && socket.write(chunk));
      };
      socket.on("drain", more);
      more();
    };
    const { ask, lines } = await openRig(format, line, { eventLimitMiB: 1 });
    for (const client of [format, other(format)]) {
      const text = await (await ask(client, true)).text();
      expect(text).toContain("All fine.");
      expect(text).toMatch(/larger than 1 MiB/);
      expect(text.length).toBeLessThan(10_000);
      expect(lines.at(-1)).toContain("upstream.broken");
    }
    expect((await ask(other(format), false)).status).toBe(502);
  });

  it("keeps its bytes with chunks of any size", async () => {
    const events = eventsOf(format).join(": comment\n\n");
    const pieces = events.match(/.{1,700}/gs) ?? [];
    const { ask, lines } = await openRig(format, stream(pieces));
    expect(await (await ask(format, true)).text()).toBe(events);
    expect(lines.at(-1)).not.toContain('"error"');
  });

  it("loses only its byte order mark", async () => {
    const one = await openRig(format, whole(`\ufeff${format.whole}`));
    expect(await (await one.ask(format, false)).text()).toBe(format.whole);
    expect((await one.ask(other(format), false)).status).toBe(200);
    const events = eventsOf(format).join("");
    const streamed = await openRig(format, stream([`\ufeff${events}`]));
    expect(Buffer.from(await (await streamed.ask(format, true)).arrayBuffer()).toString()).toBe(events);
    expect(await (await streamed.ask(other(format), true)).text()).toContain("All fine.");
  });

  it("may follow informational responses, but not 100 or 101", async () => {
    const after = (lines: string) => (socket: Parameters<RawAnswer>[0]) => {
      socket.write(lines);
      whole(format.whole)(socket);
    };
    const hints = "HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n";
    const answer = await (await openRig(format, after(hints))).ask(format, false);
    expect([answer.status, answer.headers.get("link"), await answer.text()]).toEqual([200, null, format.whole]);
    for (const status of ["100 Continue", "101 Switching Protocols"]) {
      const { ask } = await openRig(format, after(`HTTP/1.1 ${status}\r\n\r\n`));
      expect((await ask(format, false)).status).toBe(502);
    }
  });

  it("passes on listed headers only", async () => {
    const headers = {
      "x-request-id": "req_1",
      "x-ratelimit-remaining-requests": "7",
      "x-should-retry": "false",
      "x-longhaul-request-id": "forged",
      "x-longhaul-context": "forged",
      "set-cookie": "a=b",
      "clear-site-data": '"*"',
      "access-control-allow-origin": "*",
      location: "http://127.0.0.1:1/",
      server: "internal-7",
    };
    for (const isStream of [false, true]) {
      const answer = isStream ? stream(eventsOf(format), headers) : whole(format.whole, headers);
      const { ask } = await openRig(format, answer);
      const { headers: got } = await ask(format, isStream);
      const names = [...got.keys()];
      expect(names).toEqual(expect.arrayContaining(["x-request-id", "x-ratelimit-remaining-requests"]));
      expect(got.get("x-longhaul-request-id")).toMatch(/^lh_/);
      for (const name of ["x-longhaul-context", "set-cookie", "clear-site-data", "location", "server"]) {
        expect(names).not.toContain(name);
      }
      expect(got.get("access-control-allow-origin")).toBeNull();
    }
  });
});

describe.each(RAW_FORMATS.map((format) => [format.wire, format] as const))("an error of %s", (_, format) => {
  const limited = JSON.stringify({ error: { type: "rate_limit_error", code: 429, message: "slow down" } });
  const date = "Fri, 01 Jan 2100 00:00:00 GMT";

  it.each([
    ["seconds", { "retry-after": "77" }],
    ["a date", { "retry-after": date }],
    ["milliseconds", { "retry-after-ms": "77500" }],
  ])("passes the retry delay from %s to clients of every format", async (__, headers) => {
    const { ask } = await openRig(format, whole(limited, { status: "429 Too Many Requests", ...headers }));
    for (const client of RAW_FORMATS) {
      const answer = await ask(client, false);
      expect(answer.status).toBe(429);
      expect(Object.fromEntries(answer.headers)).toMatchObject(headers);
    }
  });

  it("stays a 413 for every client format", async () => {
    const large = JSON.stringify({ error: { type: "request_too_large", message: "Request exceeds the maximum size" } });
    for (const body of [large, "<html>413 Request Entity Too Large</html>", ""]) {
      const { ask } = await openRig(format, whole(body, { status: "413 Payload Too Large" }));
      for (const client of RAW_FORMATS) expect((await ask(client, false)).status).toBe(413);
    }
  });

  it.each([
    ["an HTML page", "<html><body>nginx at vllm-7.svc.cluster.local</body></html>", { "content-type": "text/html" }],
    ["an API error", JSON.stringify({ error: { message: "dial tcp 10.1.2.3:8000: refused by vllm-7.corp" } }), {}],
    [
      "plain text",
      "upstream connect error: http://127.0.0.1:9/v1 and 192.168.7.9:80",
      { "content-type": "text/plain" },
    ],
  ])("hides internal addresses in %s", async (__, body, headers) => {
    const { ask } = await openRig(format, whole(body, { status: "502 Bad Gateway", ...headers }));
    for (const client of RAW_FORMATS) {
      const answer = await ask(client, false);
      const text = await answer.text();
      expect(answer.status).toBe(502);
      expect(answer.headers.get("content-type")).toMatch(/^application\/json/);
      expect(JSON.parse(text)).toMatchObject({ error: {} });
      expect(text).not.toMatch(/<html|nginx|10\.1\.2\.3|127\.0\.0\.1|192\.168|vllm-7/);
    }
  });
});

it("hides the address of an unreachable upstream, except in the log", async () => {
  for (const format of RAW_FORMATS) {
    const file = {
      server: { port: 0 },
      upstreams: { up: { ...format.upstream, baseUrl: "http://127.0.0.1:1", apiKey: "key", maxRetries: 0 } },
      routes: [{ match: "*", upstream: "up" }],
    };
    const lines: string[] = [];
    const gateway = await openGateway({ file }, { writeLog: (line) => void lines.push(line) });
    closers.push(() => gateway.close());
    const body = JSON.stringify(format.body("m", false));
    const answer = await fetch(gateway.url + format.path("m", false), { method: "POST", body });
    expect([answer.status, await answer.text()]).toEqual([502, expect.not.stringMatching(/127\.0\.0\.1|ECONN/)]);
    expect(lines.at(-1)).toContain("127.0.0.1:1");
  }
});

it("treats null Gemini candidates as a broken reply", async () => {
  const gemini = RAW_FORMATS.find(({ wire }) => wire === "gemini");
  if (gemini === undefined) throw new Error("there is no such format");
  const { ask } = await openRig(gemini, whole('{"candidates":[null]}'));
  const streamed = await openRig(gemini, stream(['data: {"candidates":[null]}\n\n']));
  for (const client of RAW_FORMATS) {
    expect((await ask(client, false)).status).toBe(502);
    expect((await streamed.ask(client, true)).status).toBe(502);
  }
});

it("sends the user name and password of a base URL instead of the client's credential and shows them nowhere", async () => {
  const chat = RAW_FORMATS.find(({ wire }) => wire === "openai-chat");
  if (chat === undefined) throw new Error("there is no such format");
  const { ask, heads, lines } = await openRig(chat, whole(chat.whole), { user: "operator:hunter-two@" });
  const answer = await ask(chat, false);
  expect(answer.status).toBe(200);
  const basic = Buffer.from("operator:hunter-two").toString("base64");
  expect(heads[0]).toContain(`authorization: basic ${basic}`.toLowerCase());
  expect(heads[0]).not.toContain("bearer client");
  expect(lines.join("")).not.toMatch(/hunter/);
});
