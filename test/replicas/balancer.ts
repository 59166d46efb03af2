import { createServer, type IncomingMessage, type ServerResponse, request as send } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

/** A round-robin load balancer. */
export interface Balancer {
  readonly url: string;
  close(): Promise<void>;
}

export async function openBalancer(urls: readonly string[]): Promise<Balancer> {
  let next = 0;
  const server = createServer(async (request, response) => {
    const url = urls[next++ % urls.length] ?? "";
    forward({ url, request, response, body: await buffer(request) });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

interface Forwarded {
  readonly url: string;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly body: Buffer;
}

/** Forwards a request and its response; 502 if the target is unreachable. */
export function forward({ url, request, response, body }: Forwarded): void {
  const { method = "GET", url: path = "/", headers } = request;
  const { host } = new URL(url);
  const passed = send(url + path, { method, headers: { ...headers, host }, agent: false }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
    answer.on("error", () => response.destroy());
  });
  passed.on("error", () => (response.headersSent ? response.destroy() : response.writeHead(502).end()));
  response.on("close", () => passed.destroy());
  passed.end(body);
}
