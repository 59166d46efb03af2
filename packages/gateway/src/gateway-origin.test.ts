import { request } from "node:http";
import { events, type Handler, json, openUpstream, vendorsAt } from "@longhaul/fit/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Gateway, openGateway } from "./gateway.ts";
import { ADMIN_TOKEN } from "./testing/admin.ts";

const PAGE = "<script>fetch('/api/keys', { method: 'POST' })</script>";

const CALLS = [
  ["/v1/messages", { model: "claude-sonnet-4-5", max_tokens: 9, messages: [{ role: "user", content: "hi" }] }],
  ["/v1/chat/completions", { model: "gpt-4o", messages: [{ role: "user", content: "hi" }] }],
  ["/v1/responses", { model: "gpt-4o", input: "hi" }],
  ["/v1beta/models/gemini-2.5-pro:generateContent", { contents: [{ role: "user", parts: [{ text: "hi" }] }] }],
  ["/v1/embeddings", { model: "gpt-4o", input: "hi" }],
  ["/v1/audio/speech", { model: "gpt-4o", input: "hi" }],
  ["/v1/files", {}],
] as const;

describe("answers of the model API at the dashboard's origin", () => {
  let handler: Handler;
  let upstream: Awaited<ReturnType<typeof openUpstream>>;
  let gateway: Gateway;
  beforeEach(async () => {
    handler = json({ ok: true });
    upstream = await openUpstream((seen, response) => handler(seen, response));
    const retries = { maxRetries: 0, apiKey: "operators" };
    gateway = await openGateway({
      file: {
        server: { port: 0, drainSeconds: 1, adminToken: ADMIN_TOKEN },
        store: { path: ":memory:" },
        ...vendorsAt(upstream.url, retries),
      },
    });
  });
  afterEach(async () => {
    await gateway.close();
    await upstream.close();
  });

  function post(path: string, body: object, headers: Record<string, string> = {}) {
    const sent = { "content-type": "application/json", ...headers };
    return fetch(`${gateway.url}${path}`, { method: "POST", headers: sent, body: JSON.stringify(body) });
  }

  const page =
    (type: string, status = 200): Handler =>
    (_, response) => {
      response.writeHead(status, {
        ...(type !== "" && { "content-type": type }),
        "content-security-policy": "default-src *",
        "x-content-type-options": "off",
      });
      response.end(PAGE);
    };

  const expectInert = (answer: Response) => {
    expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
    expect(answer.headers.get("content-security-policy")).toBe("default-src 'none'; sandbox");
    const type = answer.headers.get("content-type");
    const isSaved = answer.headers.get("content-disposition")?.startsWith("attachment") === true;
    expect(isSaved || type === null || /^application\/json|^text\/event-stream/.test(type)).toBe(true);
  };

  describe.each(CALLS)("%s", (path, body) => {
    it.each(["text/html", "application/xhtml+xml", "image/svg+xml", "text/xml", "application/json, text/html"])(
      "replaces an answer of %s by an error in the client's dialect",
      async (type) => {
        for (const status of [200, 404, 500]) {
          handler = page(type, status);
          const answer = await post(path, body);
          expectInert(answer);
          expect([status, answer.ok, answer.headers.get("content-type")]).toEqual([status, false, "application/json"]);
          const text = await answer.text();
          expect(text).not.toContain("<script>");
          expect(JSON.parse(text).error.message).toEqual(expect.any(String));
        }
      },
    );

    it("marks answers, errors and streams as inert", async () => {
      for (const one of [
        json({ ok: true }),
        json({ error: { message: "no" } }, 400),
        events("data: {}\n\n"),
        page(""),
      ]) {
        handler = one;
        expectInert(await post(path, body));
      }
      expectInert(await post(path, body, { origin: "https://evil.example" }));
    });

    it("rejects navigations", async () => {
      const headers = { "sec-fetch-mode": "navigate", "content-type": "application/json" };
      const options = { method: "POST", headers };
      const status = await new Promise((resolve) => {
        const asking = request(`${gateway.url}${path}?key=k`, options, (answer) => resolve(answer.statusCode));
        asking.end(JSON.stringify(body));
      });
      expect(status).toBe(403);
      expect(upstream.seen).toEqual([]);
    });
  });

  it("sends the content of a file of any type as an attachment", async () => {
    handler = page("text/html");
    const answer = await fetch(`${gateway.url}/v1/files/file-1/content`);
    expectInert(answer);
    expect([answer.status, await answer.text()]).toEqual([200, PAGE]);
    expect(answer.headers.get("content-type")).toBe("application/octet-stream");
  });

  it("sends audio as an attachment", async () => {
    handler = page("audio/mpeg");
    const answer = await post("/v1/audio/speech", { model: "gpt-4o", input: "hi" });
    expectInert(answer);
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "audio/mpeg"]);
  });

  it.each(["/healthz", "/readyz", "/v1/models", "/v1/nothing", "/nothing", "/metrics"])(
    "marks %s as inert",
    async (path) => {
      const answer = await fetch(`${gateway.url}${path}`);
      expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
      expect(answer.headers.get("content-security-policy")).toBe("default-src 'none'; sandbox");
    },
  );

  it("accepts a key in the query only from Gemini's clients", async () => {
    const made = await fetch(`${gateway.adminUrl}/api/keys`, {
      method: "POST",
      headers: { authorization: `Bearer ${ADMIN_TOKEN}`, "content-type": "application/json" },
      body: JSON.stringify({ name: "a" }),
    });
    const { key } = JSON.parse(await made.text());
    await expect.poll(async () => (await fetch(`${gateway.url}/v1/models`)).status).toBe(401);
    for (const [path, body] of CALLS) {
      const isGemini = path.startsWith("/v1beta");
      const { status } = await post(`${path}?key=${key}`, body);
      expect([path, status === 401]).toEqual([path, !isGemini]);
    }
    expect((await fetch(`${gateway.url}/v1beta/models?key=${key}`)).status).toBe(200);
    expect(JSON.stringify(upstream.seen)).not.toContain(key);
  });
});
