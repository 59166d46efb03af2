import { gzipSync } from "node:zlib";
import { type Gateway, openGateway } from "@longhaul/gateway";
import { afterEach, describe, expect, it } from "vitest";
import { anthropicClient } from "./anthropic-client.ts";
import { chatClient } from "./chat-client.ts";
import { geminiClient } from "./gemini-client.ts";
import { RAW_FORMATS, type RawFormat } from "./raw-formats.ts";
import { head, openRawUpstream, type RawAnswer, type RawUpstream, resetStream, stream, whole } from "./raw-upstream.ts";
import { responsesClient } from "./responses-client.ts";

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

const HTML = "<!doctype html><html><body>Bad gateway at 10.1.2.3:8080</body></html>";
const page = { "content-type": "text/html" };

/** A failure of an upstream, as the bytes that it sends. */
interface Fault {
  readonly name: string;
  answer(format: RawFormat): RawAnswer;
}

/** Faults that are detected before anything is sent to the client. */
const EARLY: readonly Fault[] = [
  { name: "an HTML page", answer: () => whole(HTML, page) },
  { name: "an HTML page that claims to be JSON", answer: () => whole(HTML) },
  { name: "an HTML page that claims to be a stream", answer: () => stream([HTML]) },
  { name: "an empty body", answer: () => whole("") },
  { name: "null", answer: () => whole("null") },
  { name: "an empty list", answer: () => whole("[]") },
  { name: "an empty object", answer: () => whole("{}") },
  { name: "an object that is something else", answer: () => whole('{"ok":true}') },
  { name: "JSON that is cut", answer: (format) => whole(format.whole.slice(0, -9)) },
  {
    name: "JSON that is cut after a brace, on a connection that closes",
    answer: (format) => (socket) => socket.end(head("200 OK", {}) + format.whole.replace(/\}$/, "")),
  },
  {
    name: "fewer bytes than announced",
    answer: (format) => (socket) => socket.end(head("200 OK", { "content-length": 9_999 }) + format.whole),
  },
  { name: "204", answer: () => (socket) => socket.end(head("204 No Content", {})) },
  { name: "304", answer: () => (socket) => socket.end(head("304 Not Modified", { etag: "x" })) },
  { name: "a redirect", answer: () => whole("", { status: "307 Moved", location: "http://127.0.0.1:1/elsewhere" }) },
  { name: "an error with a good status", answer: () => whole('{"error":{"message":"no GPU","type":"server_error"}}') },
  {
    name: "gzip that is cut",
    answer: (format) => whole(gzipSync(format.whole).subarray(0, 40), { "content-encoding": "gzip" }),
  },
  { name: "an unknown content encoding", answer: (format) => whole(format.whole, { "content-encoding": "rot13" }) },
  { name: "an empty stream", answer: () => stream([]) },
  { name: "a stream of comments", answer: () => stream([": hello\n\n", ": hello\n\n"]) },
  { name: "a stream that ends before its content", answer: ({ opening }) => stream(opening.slice(0, 1)) },
  { name: "a stream that is reset before its content", answer: ({ opening }) => resetStream(opening.slice(0, 1)) },
];

/** Faults that occur after content was sent to the client. */
const LATE: readonly Fault[] = [
  { name: "a stream that ends without its last event", answer: ({ opening, text }) => stream([...opening, text]) },
  { name: "a stream that is reset", answer: ({ opening, text }) => resetStream([...opening, text]) },
  {
    name: "a stream that ends in the middle of an event",
    answer: ({ opening, text }) => stream([...opening, text, text.slice(0, -30)]),
  },
  {
    name: "a stream that is reset in the middle of an event",
    answer: ({ opening, text }) => resetStream([...opening, text, text.slice(0, -30)]),
  },
  {
    name: "a stream that is reset after the line of an event",
    answer: ({ opening, text }) => resetStream([...opening, text, text.slice(0, -1)]),
  },
];

interface Rig {
  readonly gateway: Gateway;
  /** The broken upstream and a working one, by format. */
  readonly broken: ReadonlyMap<string, RawUpstream>;
  readonly good: ReadonlyMap<string, RawUpstream>;
  readonly lines: string[];
}

async function openAll(): Promise<ReadonlyMap<string, RawUpstream>> {
  const opened = await Promise.all(RAW_FORMATS.map(async ({ wire }) => [wire, await openRawUpstream()] as const));
  closers.push(...opened.map(([, { close }]) => close));
  return new Map(opened);
}

/** Opens a gateway that routes `alone-<format>` to the broken upstream, and `both-<format>` to that and then to a working one. */
async function openRig(fault: Fault, settings: object = {}): Promise<Rig> {
  const [broken, good] = [await openAll(), await openAll()];
  const upstreamOf = ({ upstream, basePath }: RawFormat, at: RawUpstream | undefined) => ({
    ...upstream,
    baseUrl: `${at?.url}${basePath}`,
    apiKey: "key",
    maxRetries: 0,
    ...settings,
  });
  for (const format of RAW_FORMATS) {
    broken.get(format.wire)?.answerWith(fault.answer(format));
    good.get(format.wire)?.answerWith(whole(format.whole));
  }
  const lines: string[] = [];
  const file = {
    server: { port: 0 },
    context: { strategy: "full-history" },
    upstreams: Object.fromEntries(
      RAW_FORMATS.flatMap((format) => [
        [`bad-${format.wire}`, upstreamOf(format, broken.get(format.wire))],
        [`first-${format.wire}`, upstreamOf(format, broken.get(format.wire))],
        [`good-${format.wire}`, upstreamOf(format, good.get(format.wire))],
      ]),
    ),
    routes: RAW_FORMATS.flatMap(({ wire }) => [
      { match: `alone-${wire}`, upstream: `bad-${wire}` },
      { match: `both-${wire}`, upstream: [`first-${wire}`, `good-${wire}`] },
    ]),
  };
  const gateway = await openGateway({ file }, { writeLog: (line) => void lines.push(line) });
  closers.push(() => gateway.close());
  return { gateway, broken, good, lines };
}

function ask({ gateway }: Rig, format: RawFormat, { model, isStream }: { model: string; isStream: boolean }) {
  return fetch(gateway.url + format.path(model, isStream), {
    method: "POST",
    headers: { "content-type": "application/json", authorization: "Bearer client", "anthropic-version": "2023-06-01" },
    body: JSON.stringify(format.body(model, isStream)),
    redirect: "manual",
  });
}

/** Every client with every upstream, streaming and not. */
const PAIRS = RAW_FORMATS.flatMap((client) =>
  RAW_FORMATS.flatMap((upstream) => [false, true].map((isStream) => ({ client, upstream, isStream }))),
);

function logged({ lines }: Rig): unknown {
  return JSON.parse(lines.findLast((line) => line.includes('"status"')) ?? "{}");
}

describe.each(EARLY)("$name", (fault) => {
  it("returns an error in the client's format without the upstream's page or address", async () => {
    const rig = await openRig(fault);
    for (const { client, upstream, isStream } of PAIRS) {
      const label = `${client.wire} on ${upstream.wire}, ${isStream ? "streamed" : "whole"}`;
      const answer = await ask(rig, client, { model: `alone-${upstream.wire}`, isStream });
      const text = await answer.text();
      expect([answer.status >= 500, label, text]).toEqual([true, label, expect.stringContaining('"error"')]);
      expect(JSON.parse(text)).toMatchObject({ error: { message: expect.any(String) } });
      expect(text).not.toMatch(/<|10\.1\.2\.3|127\.0\.0\.1/);
      expect(answer.headers.get("content-type")).toMatch(/^application\/json/);
      expect(answer.headers.get("location")).toBeNull();
      expect(logged(rig)).toMatchObject({ error: expect.stringMatching(/^upstream\.(broken|unreachable)$/) });
    }
  });

  it("fails over to the next upstream", async () => {
    const rig = await openRig(fault);
    for (const format of RAW_FORMATS) {
      for (const isStream of [false, true]) {
        const answer = await ask(rig, format, { model: `both-${format.wire}`, isStream });
        expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining("All fine.")]);
        expect(rig.good.get(format.wire)?.heads).toHaveLength(isStream ? 2 : 1);
      }
    }
  });
});

describe.each(LATE)("$name", (fault) => {
  it("ends with an error event in the client's format after complete events only", async () => {
    const rig = await openRig(fault);
    for (const { client, upstream } of PAIRS.filter(({ isStream }) => isStream)) {
      const answer = await ask(rig, client, { model: `alone-${upstream.wire}`, isStream: true });
      const text = await answer.text();
      const data = [...text.matchAll(/^data: (.*)$/gm)].map(([, json]) => JSON.parse(json ?? ""));
      expect(text).toContain("All fine.");
      expect(text.match(/All fine\./g)).toHaveLength(1);
      expect(JSON.stringify(data.at(-1))).toMatch(/"error":\{|"type":"error"/);
      expect(text).not.toMatch(/127\.0\.0\.1|ECONN/);
      expect(logged(rig)).toMatchObject({ status: 200, error: expect.stringMatching(/^upstream\./) });
    }
  });

  it("returns an error, or another upstream's reply, to a client that does not stream", async () => {
    const rig = await openRig(fault);
    for (const format of RAW_FORMATS) {
      const alone = await ask(rig, format, { model: `alone-${format.wire}`, isStream: false });
      expect([alone.status, await alone.text()]).toEqual([502, expect.stringContaining('"error"')]);
      const both = await ask(rig, format, { model: `both-${format.wire}`, isStream: false });
      expect([both.status, await both.text()]).toEqual([200, expect.stringContaining("All fine.")]);
    }
  });

  it("makes the vendors' own SDKs throw", async () => {
    const { gateway } = await openRig(fault);
    for (const make of [anthropicClient, chatClient, responsesClient, geminiClient]) {
      const client = make(gateway.url);
      const task = { model: `alone-${client.wire}`, prompt: "hi", stream: true };
      await expect(client.run(task), client.name).rejects.toThrow();
    }
  });

  it("opens the upstream's circuit after five failures", async () => {
    const rig = await openRig(fault);
    const [format] = RAW_FORMATS;
    if (format === undefined) throw new Error("there is no format");
    for (let request = 0; request < 6; request++) {
      await (await ask(rig, format, { model: `both-${format.wire}`, isStream: true })).text();
    }
    expect(rig.broken.get(format.wire)?.heads).toHaveLength(5);
    expect(rig.good.get(format.wire)?.heads).toHaveLength(1);
  });
});

it("retries a broken reply at the same upstream", async () => {
  const rig = await openRig({ name: "", answer: () => whole("null") }, { maxRetries: 1 });
  for (const format of RAW_FORMATS) {
    const upstream = rig.broken.get(format.wire);
    upstream?.answerWith((socket) => {
      const isFirst = upstream.heads.length === 1;
      return (isFirst ? whole("null", { "retry-after-ms": "1" }) : whole(format.whole))(socket);
    });
    const answer = await ask(rig, format, { model: `alone-${format.wire}`, isStream: false });
    expect([answer.status, await answer.text(), upstream?.heads.length]).toEqual([200, format.whole, 2]);
  }
});
