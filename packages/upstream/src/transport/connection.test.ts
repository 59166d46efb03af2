import { generateKeyPairSync } from "node:crypto";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { LonghaulError } from "@longhaul/conversation";
import { afterEach, describe, expect, it } from "vitest";
import type { Outgoing, Upstream } from "../requests/upstream.ts";
import { makeUpstream } from "../testing/upstream.ts";
import { type Connection, messageForOperators, openConnection } from "./connection.ts";

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function listen(listener: RequestListener): Promise<{ server: Server; url: string }> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closers.push(
    () =>
      new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      }),
  );
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

function connect(
  baseUrl: string,
  timeouts: Partial<Upstream["timeouts"]> = {},
  auth: Upstream["auth"] = { kind: "key", header: "x-api-key", key: "k" },
): Connection {
  const defaults = makeUpstream();
  const upstream = makeUpstream({ baseUrl, auth, timeouts: { ...defaults.timeouts, ...timeouts } });
  const connection = openConnection(upstream, { nowSeconds: () => 0, environment: {} });
  closers.push(() => connection.close());
  return connection;
}

const outgoing: Outgoing = {
  wire: "anthropic-messages",
  action: "generate",
  method: "POST",
  model: "m",
  stream: true,
  body: new TextEncoder().encode("{}"),
  headers: {},
};

const never = new AbortController().signal;

async function textOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

describe("openConnection", () => {
  it("sends a request and streams the answer", async () => {
    const { url } = await listen((request, response) => {
      response.writeHead(201, { "request-id": "r1", "x-list": ["a", "b"] });
      response.end(`${request.method} ${request.url} ${request.headers["x-api-key"]}`);
    });
    const answer = await connect(url).send(outgoing, never);
    expect([answer.status, answer.headers["request-id"], answer.headers["x-list"]]).toEqual([201, "r1", "a, b"]);
    expect(await textOf(answer.body)).toBe("POST /v1/messages k");
  });

  it("shares a few connections among many requests", async () => {
    const ports = new Set<number | undefined>();
    const { url } = await listen((request, response) => {
      ports.add(request.socket.remotePort);
      response.end("ok");
    });
    const connection = connect(url);
    for (let round = 0; round < 20; round++) await textOf((await connection.send(outgoing, never)).body);
    expect(ports.size).toBeLessThan(3);
  });

  it("throws upstream.unreachable if nothing listens", async () => {
    const { server, url } = await listen(() => {});
    await new Promise((resolve) => server.close(resolve));
    await expect(connect(url).send(outgoing, never)).rejects.toMatchObject({
      code: "upstream.unreachable",
      message: 'upstream "u" cannot be reached: connection refused; check upstreams.u.baseUrl and the network',
    });
  });

  it("shows addresses to operators only", async () => {
    const { server, url } = await listen(() => {});
    await new Promise((resolve) => server.close(resolve));
    const error: unknown = await connect(url)
      .send(outgoing, never)
      .catch((thrown: unknown) => thrown);
    if (!(error instanceof LonghaulError)) throw error;
    expect(error.message).not.toContain("127.0.0.1");
    expect(messageForOperators(error)).toContain(url.slice("http://".length));
  });

  it.each([301, 302, 304, 307])("throws upstream.broken for a %i and does not follow it", async (status) => {
    let asked = 0;
    const { url } = await listen((_, response) => {
      asked++;
      response.writeHead(status, { location: "/elsewhere" }).end();
    });
    await expect(connect(url).send(outgoing, never)).rejects.toMatchObject({ code: "upstream.broken" });
    expect(asked).toBe(1);
  });

  it("asks for an uncompressed answer and decompresses a compressed one", async () => {
    const { url } = await listen((request, response) => {
      response.writeHead(200, { "content-encoding": "gzip" });
      response.end(gzipSync(`${request.headers["accept-encoding"]}`));
    });
    const answer = await connect(url).send(outgoing, never);
    expect([await textOf(answer.body), answer.headers["content-encoding"]]).toEqual(["identity", undefined]);
  });

  it("reports invalid proxies and certificates from the environment", async () => {
    const { upstream } = connect("http://127.0.0.1:1");
    const environment = { NODE_EXTRA_CA_CERTS: "/nowhere/ca.pem" };
    const connection = openConnection(upstream, { nowSeconds: () => 0, environment });
    await expect(connection.send(outgoing, never)).rejects.toMatchObject({
      code: "upstream.unreachable",
      cause: { message: expect.stringContaining("/nowhere/ca.pem") },
    });
    await connection.close();
  });

  it("times out if the answer does not begin", async () => {
    const { url } = await listen(() => {});
    await expect(connect(url, { firstByteMs: 50 }).send(outgoing, never)).rejects.toMatchObject({
      code: "upstream.timeout",
    });
  });

  it("times out if the answer goes silent", async () => {
    const { url } = await listen((_, response) => response.write("begun"));
    const { body } = await connect(url, { idleMs: 50 }).send(outgoing, never);
    await expect(textOf(body)).rejects.toMatchObject({
      code: "upstream.timeout",
      message: expect.stringContaining("sent nothing"),
    });
  });

  it("throws upstream.broken if an answer breaks off", async () => {
    const { url } = await listen((_, response) => {
      response.write("begun");
      setImmediate(() => response.destroy());
    });
    const { body } = await connect(url).send(outgoing, never);
    await expect(textOf(body)).rejects.toMatchObject({ code: "upstream.broken" });
  });

  it("ends the upstream's work when the caller aborts", async () => {
    const abort = new AbortController();
    const { promise: gone, resolve: leave } = Promise.withResolvers<void>();
    const { url } = await listen((_, response) => {
      response.on("close", leave);
      response.write("begun");
    });
    const { body } = await connect(url).send(outgoing, abort.signal);
    abort.abort();
    await expect(textOf(body)).rejects.toThrow();
    await gone;
  });
});

it("throws upstream.unreachable if Google's token endpoint cannot be reached", async () => {
  const { privateKey } = generateKeyPairSync("rsa", {
    modulusLength: 2_048,
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
    publicKeyEncoding: { type: "spki", format: "pem" },
  });
  const { server, url } = await listen(() => {});
  await new Promise((resolve) => server.close(resolve));
  const account = { clientEmail: "a@b.example", privateKey, tokenUrl: `${url}/token` };
  const connection = connect(url, {}, { kind: "google", account });
  await expect(connection.send(outgoing, new AbortController().signal)).rejects.toMatchObject({
    code: "upstream.unreachable",
    retryable: true,
  });
});
