import { connect, type Socket } from "node:net";
import { gzipSync } from "node:zlib";
import { vendorsAt } from "@longhaul/fit/testing";
import { openSimulator, type Simulator } from "@longhaul/simulator";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type Gateway, openGateway } from "./gateway.ts";

const MIB = 1024 * 1024;
const SMALL = JSON.stringify({ model: "gpt-4o", messages: [{ role: "user", content: "Say hello." }] });

let simulator: Simulator;
const closers: (() => unknown)[] = [];

beforeEach(async () => {
  simulator = await openSimulator();
  closers.push(() => simulator.close());
});
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function open(server: object = {}): Promise<Gateway> {
  const upstream = { apiKey: "vendors" };
  const file = {
    server: { port: 0, drainSeconds: 1, bodyLimitMiB: 4, ...server },
    ...vendorsAt(simulator.url, upstream),
  };
  const gateway = await openGateway({ file });
  closers.push(() => gateway.close());
  return gateway;
}

/** A connection that collects the received bytes. */
interface Line {
  readonly socket: Socket;
  /** Everything received so far. */
  received(): string;
  /** Resolves after this many answers, or when the connection ends. */
  answers(count: number): Promise<string>;
}

async function dial(gateway: Gateway): Promise<Line> {
  const socket = connect(Number(new URL(gateway.url).port), "127.0.0.1");
  closers.push(() => socket.destroy());
  let text = "";
  let isOver = false;
  socket.on("data", (chunk) => {
    text += chunk.toString("latin1");
  });
  socket.on("close", () => {
    isOver = true;
  });
  socket.on("error", () => {});
  await new Promise((resolve) => socket.once("connect", resolve));
  const count = () => text.split("HTTP/1.1 ").length - 1;
  return {
    socket,
    received: () => text,
    answers: (wanted) => vi.waitUntil(() => isOver || count() >= wanted, { timeout: 60_000 }).then(() => text),
  };
}

function head(path: string, headers: Record<string, string | number>): string {
  const lines = Object.entries({ host: "127.0.0.1", "content-type": "application/json", ...headers });
  return `POST ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n`;
}

const CHAT = "/v1/chat/completions";
const chunk = (text: string) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;

describe("after a rejected body", () => {
  const packed = gzipSync(SMALL);
  const cases: readonly [string, number, string, object?][] = [
    [
      "with a wrong content-encoding",
      400,
      head(CHAT, { "content-encoding": "gzip", "content-length": SMALL.length }) + SMALL,
    ],
    [
      "with a wrong content-encoding, in chunks",
      400,
      head(CHAT, { "content-encoding": "gzip", "transfer-encoding": "chunked" }) + chunk(SMALL),
    ],
    ["of an unknown encoding", 400, head(CHAT, { "content-encoding": "rot13", "content-length": 2_000_000 }) + SMALL],
    [
      "that is compressed and truncated",
      400,
      head(CHAT, { "content-encoding": "gzip", "content-length": 4 }) + packed.toString("latin1").slice(0, 4),
    ],
    ["that is too large", 413, head(CHAT, { "content-length": 5 * MIB }) + SMALL],
    ["that turns out too large", 413, head(CHAT, { "transfer-encoding": "chunked" }) + chunk("x".repeat(5 * MIB))],
    ["at a path that is not there", 404, head("/v1/nothing", { "transfer-encoding": "chunked" }) + chunk(SMALL)],
    ["at an unknown path, with its length", 404, head("/v1/nothing", { "content-length": SMALL.length }) + SMALL],
    ["without a key", 401, head(CHAT, { "transfer-encoding": "chunked" }) + chunk(SMALL), { keys: "required" }],
    [
      "without a key, with its length",
      401,
      head(CHAT, { "content-length": SMALL.length }) + SMALL,
      { keys: "required" },
    ],
    ["for the admin API", 401, head("/api/settings", { "transfer-encoding": "chunked" }) + chunk(SMALL)],
  ];
  const next = `GET /healthz HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n`;

  it.each(cases)(
    "%s, the next request on the connection is answered or the connection ends",
    async (_, status, bytes, server) => {
      const line = await dial(await open(server));
      line.socket.write(bytes, "latin1");
      const first = await line.answers(1);
      if (_ !== "for the admin API") expect(first).toContain(`HTTP/1.1 ${status} `);
      line.socket.write(next);
      const all = await line.answers(2);
      const isClosing = /connection: close/i.test(first);
      expect([isClosing, all.includes("200 OK")]).toEqual([isClosing, !isClosing]);
    },
  );

  it.each(cases)("%s, a request that was sent with it does not hang", async (_, __, bytes, server) => {
    const line = await dial(await open(server));
    line.socket.write(bytes + next, "latin1");
    const all = await line.answers(2);
    expect(/connection: close/i.test(all) || all.includes("200 OK")).toBe(true);
  });

  it.each([
    ["with a wrong content-encoding", { "content-encoding": "gzip" }, Buffer.from(SMALL), 400],
    ["of an unknown encoding", { "content-encoding": "rot13" }, Buffer.alloc(2 * MIB), 400],
    ["that is too large", {}, Buffer.alloc(6 * MIB, 0x20), 413],
  ])("%s, a pooled client gets its answer and continues", async (_, headers, body, status) => {
    const gateway = await open();
    for (const sent of [{ body }, { body: new Blob([body]).stream(), duplex: "half" as const }]) {
      const refused = await fetch(`${gateway.url}${CHAT}`, { method: "POST", headers, ...sent });
      await refused.text();
      expect(refused.status).toBe(status);
      const good = await fetch(`${gateway.url}${CHAT}`, { method: "POST", body: SMALL });
      await good.text();
      expect(good.status).toBe(200);
    }
  });
});

describe("an incomplete body", () => {
  it("ends after server.requestTimeoutSeconds, in the client's dialect", async () => {
    const line = await dial(await open({ requestTimeoutSeconds: 0.2 }));
    line.socket.write(head("/v1/messages", { "anthropic-version": "2023-06-01", "content-length": 3 * MIB }) + SMALL);
    const answer = await line.answers(1);
    expect(answer).toContain("HTTP/1.1 408 ");
    expect(answer).toMatch(/connection: close/i);
    expect(answer).toContain('"type":"error"');
  });

  it("is not awaited if the request has no key", async () => {
    const line = await dial(await open({ keys: "required", bodyLimitMiB: 64 }));
    line.socket.write(head(CHAT, { "content-length": 60 * MIB }));
    const answer = await line.answers(1);
    expect(answer).toContain("HTTP/1.1 401 ");
    expect(answer).toMatch(/connection: close/i);
  });
});

it("answers 503 with retry-after when bodies exceed the memory limit, and accepts small requests", async () => {
  const gateway = await open({ bodiesInFlightMiB: 3 });
  const line = await dial(gateway);
  line.socket.write(head(CHAT, { "content-length": 2 * MIB }) + SMALL);
  const large = Buffer.from(JSON.stringify({ model: "gpt-4o", messages: [], x: "x".repeat(2 * MIB) }));
  const refused = await vi.waitFor(
    async () => {
      const answer = await fetch(`${gateway.url}${CHAT}`, { method: "POST", body: large });
      expect(answer.status).toBe(503);
      return answer;
    },
    { timeout: 60_000 },
  );
  expect(refused.headers.get("retry-after")).toBe("1");
  expect(await refused.json()).toMatchObject({ error: { message: expect.stringContaining("bodiesInFlightMiB") } });
  expect((await fetch(`${gateway.url}${CHAT}`, { method: "POST", body: SMALL })).status).toBe(200);
  line.socket.destroy();
  await vi.waitFor(
    async () => {
      expect((await fetch(`${gateway.url}${CHAT}`, { method: "POST", body: large })).status).not.toBe(503);
    },
    { timeout: 60_000 },
  );
});

describe("a body whose shape is over the limits", () => {
  const keys = Array.from({ length: 10_001 }, (_, index) => `"k${index}":1`).join();
  const shapes = [
    ["depth", "[".repeat(501) + "]".repeat(501)],
    ["keys", `{${keys}}`],
    ["elements", `[${"1,".repeat(100_000)}1]`],
    ["values", `[${`[${"1,".repeat(50_000)}1],`.repeat(10)}1]`],
  ] as const;
  const formats = [
    [CHAT, "gpt-4o", "messages"],
    ["/v1/messages", "claude-sonnet-4-5", "messages"],
    ["/v1/messages", "gpt-4o", "messages"],
    ["/v1/responses", "gpt-4o", "input"],
    ["/v1beta/models/gemini-2.5-pro:generateContent", "gemini-2.5-pro", "contents"],
  ] as const;

  it.each(formats)("gets 413 in the client's dialect at %s for %s", async (path, model, list) => {
    const gateway = await open({ bodyLimitMiB: 64 });
    for (const [limit, shape] of shapes) {
      const body = `{"model":"${model}","max_tokens":9,"${list}":[],"metadata":${shape}}`;
      const answer = await fetch(`${gateway.url}${path}`, {
        method: "POST",
        body,
        headers: { "anthropic-version": "1" },
      });
      const text = await answer.text();
      expect([limit, answer.status, text.includes("the gateway's limit")]).toEqual([limit, 413, true]);
      expect(JSON.parse(text)).toHaveProperty("error.message");
    }
  });

  it("gets 413 with a million keys, a million brackets and a million equal keys", async () => {
    const gateway = await open({ bodyLimitMiB: 64 });
    const many = Array.from({ length: 1_000_000 }, (_, index) => `"k${index}":1`).join();
    for (const body of [`{${many}}`, "[".repeat(1_000_000), `{${'"model":"a",'.repeat(1_000_000)}"x":1}`]) {
      expect((await fetch(`${gateway.url}${CHAT}`, { method: "POST", body })).status).toBe(413);
    }
  });
});
