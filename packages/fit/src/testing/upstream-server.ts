import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A request as an upstream received it. */
export interface Seen {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

/** Answers a request; `seen` is the request. */
export type Handler = (seen: Seen, response: ServerResponse) => void;

/** Configures one server as three vendors: an upstream for each of them, and routes by model name. */
export function vendorsAt(url: string, upstream: object = {}) {
  return {
    upstreams: {
      claude: { kind: "anthropic", baseUrl: url, ...upstream },
      gpt: { kind: "openai", baseUrl: `${url}/v1`, ...upstream },
      google: { kind: "gemini", baseUrl: url, ...upstream },
    },
    routes: [
      { match: "claude-*", upstream: "claude" },
      { match: "gpt-*", upstream: "gpt" },
      { match: "*", upstream: "google" },
    ],
  };
}

/** An upstream on loopback with one handler per request; the last one answers all further requests. */
export async function openUpstream(
  ...handlers: Handler[]
): Promise<{ url: string; seen: Seen[]; close: () => Promise<void> }> {
  const seen: Seen[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const entry = {
      method: request.method ?? "",
      path: request.url ?? "",
      headers: request.headers,
      body: Buffer.concat(chunks).toString(),
    };
    const handler = handlers[Math.min(seen.length, handlers.length - 1)];
    seen.push(entry);
    handler?.(entry, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen, close };
}

/** Answers with JSON. */
export function json(body: unknown, status = 200, headers: Record<string, string> = {}): Handler {
  return (_, response) => {
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(typeof body === "string" ? body : JSON.stringify(body));
  };
}

/** Answers with server-sent events, written unchanged. */
export function events(...chunks: (string | Buffer)[]): Handler {
  return (_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream", "request-id": "req_up" });
    for (const chunk of chunks) response.write(chunk);
    response.end();
  };
}

/** An Anthropic error. */
export function anthropicError(_status: number, type: string, message: string): string {
  return JSON.stringify({ type: "error", error: { type, message }, request_id: "req_up" });
}
