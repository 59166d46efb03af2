import { connect } from "node:net";
import { json, openUpstream, vendorsAt } from "@longhaul/fit/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Gateway, openGateway } from "./gateway.ts";

const CLIENTS = [
  ["Anthropic", "/v1/files", "anthropic-version: 2023-06-01\r\n", ["type", "error"]],
  ["Chat Completions", "/v1/files", "", ["error"]],
  ["Responses", "/v1/responses", "", ["error"]],
  ["Gemini", "/v1beta/models", "", ["error"]],
] as const;

/** Ends of a path that a server or a proxy could read as another path. */
const EVASIONS = [
  "/%2e%2e/organization/admin_api_keys",
  "/.%2e/.%2E/v1/organization/admin_api_keys",
  "/%2E./organization/admin_api_keys",
  "/../organization/admin_api_keys",
  "/./file-1",
  "/%252e%252e/organization",
  "/%25%32%65%252e/organization",
  "/a%2f..%2forganization",
  "/a%252f..%252forganization",
  "/a%5c..%5corganization",
  "/a\\..\\organization",
  "//organization",
  "/a//b",
  "/a%00",
  "/a%0d%0ax-injected:1",
  "/a%7f",
  "/%",
  "/%c0%ae%c0%ae/organization",
  "/%E0%A4",
];

describe("paths of the model API", () => {
  let upstream: Awaited<ReturnType<typeof openUpstream>>;
  let gateway: Gateway;
  beforeEach(async () => {
    upstream = await openUpstream(json({ ok: true }));
    gateway = await openGateway({
      file: {
        server: { port: 0, drainSeconds: 1 },
        store: { path: ":memory:" },
        ...vendorsAt(upstream.url, { apiKey: "operators" }),
      },
    });
  });
  afterEach(async () => {
    await gateway.close();
    await upstream.close();
  });

  async function send(method: string, target: string, headers = "", body = "") {
    const head = `${method} ${target} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n${headers}`;
    const answer = await exchange(gateway.url, `${head}content-length: ${body.length}\r\n\r\n${body}`);
    const [start = "", ...rest] = answer.split("\r\n\r\n");
    return { status: Number(start.split(" ")[1]), head: start, text: rest.join("\r\n\r\n") };
  }

  describe.each(CLIENTS)("of %s", (_, path, headers, fields) => {
    it.each(EVASIONS)("rejects %s in the client's dialect and calls no upstream", async (evasion) => {
      for (const method of ["GET", "POST", "DELETE"]) {
        const { status, text } = await send(method, `${path}${evasion}`, headers, method === "POST" ? "{}" : "");
        expect([method, status]).toEqual([method, 400]);
        expect(Object.keys(JSON.parse(text))).toEqual(expect.arrayContaining([...fields]));
      }
      expect(upstream.seen).toEqual([]);
    });
  });

  it.each([
    ["GET", "/v1/files/file-1/contents"],
    ["GET", "/v1/files/"],
    ["GET", "/v1/files/a/b/c"],
    ["POST", "/v1/files/file-1"],
    ["GET", "/v1/embeddings"],
    ["POST", "/v1/embeddings/more"],
    ["DELETE", "/v1/batches/b"],
    ["GET", "/v1/audio/voices"],
    ["GET", "/v1/organization/admin_api_keys"],
    ["HEAD", "/v1/files"],
    ["OPTIONS", "/v1/files"],
    ["PUT", "/v1/files/file-1"],
    ["PATCH", "/v1/files/file-1"],
    ["POST", "/v1/files/file-1/content:cancel"],
  ])("answers %s %s with 404", async (method, target) => {
    const { status } = await send(method, target);
    expect(status).toBe(404);
    expect(upstream.seen).toEqual([]);
  });

  it.each([
    ["GET", "/v1/files/file-1/content", "/v1/files/file-1/content"],
    ["GET", "/files/file%2D1?limit=2&key=secret", "/v1/files/file-1?limit=2"],
    ["DELETE", "/v1/files/a%20b%3Fc%23d;e", "/v1/files/a%20b%3Fc%23d%3Be"],
    ["GET", "/v1/files/...", "/v1/files/..."],
    ["POST", "/v1/batches/b1/cancel", "/v1/batches/b1/cancel"],
    ["GET", "/v1/vector_stores/v/files/f/content", "/v1/vector_stores/v/files/f/content"],
    ["POST", "/v1beta/models/tuned/g:4k:embedContent", "/v1beta/models/tuned%2Fg%3A4k:embedContent"],
  ])("sends %s %s to the upstream as %s", async (method, target, seen) => {
    const { status } = await send(method, target, "content-type: application/json\r\n", method === "POST" ? "{}" : "");
    expect([status, upstream.seen.map(({ path }) => path)]).toEqual([200, [seen]]);
  });

  it.each(["GET /v1/files/%2e%2e/x", "GET /docs/%2e%2e/%2e%2e/etc/passwd", "GET /api/%2e%2e/v1/files"])(
    "rejects %s as a WebSocket request",
    async (line) => {
      const [method = "", target = ""] = line.split(" ");
      const upgrade =
        "upgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n";
      expect((await send(method, target, upgrade)).status).toBe(400);
      expect(upstream.seen).toEqual([]);
    },
  );

  it.each(["/docs/%2e%2e/package.json", "/docs/..%2f..%2fpackage.json", "/assets/..\\..\\package.json", "/docs//x"])(
    "serves no file at %s",
    async (target) => {
      expect((await send("GET", target)).status).toBe(400);
    },
  );
});

/** Writes a raw request to a socket and reads until the other side closes. */
function exchange(url: string, text: string): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(text, "latin1"));
    const chunks: Buffer[] = [];
    socket.on("data", (chunk) => chunks.push(chunk));
    socket.on("close", () => resolve(Buffer.concat(chunks).toString("utf8")));
    socket.on("error", reject);
  });
}
