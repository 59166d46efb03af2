import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { ERROR_CODES, LonghaulError } from "@longhaul/conversation";

/** Where the gateway listens. */
export interface Listen {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
}

/** A gateway that accepts connections. */
export interface Gateway {
  readonly url: string;
  /** Stops accepting, lets what is under way finish, and resolves when all is closed. */
  close(): Promise<void>;
}

/** Opens the gateway; resolves once it accepts connections. */
export async function openGateway(listen: Listen): Promise<Gateway> {
  const server = createServer(answer);
  await listening(server, listen);
  return { url: urlOf(server), close: () => closing(server) };
}

function answer(request: IncomingMessage, response: ServerResponse): void {
  const path = (request.url ?? "/").split("?")[0] ?? "/";
  const isRead = request.method === "GET" || request.method === "HEAD";
  if (path === "/healthz" && isRead) sendJson(response, 200, { status: "ok" });
  else sendJson(response, ERROR_CODES["route.unknown"].status, notServed(`${request.method} ${path}`));
}

function notServed(place: string): object {
  const message = `nothing is served at ${place}; GET /healthz tells whether the gateway is up`;
  return { error: { code: "route.unknown", message } };
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}

function listening(server: Server, { host, port }: Listen): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (cause: NodeJS.ErrnoException) => {
      const advice = ADVICE[cause.code ?? ""] ?? cause.message;
      reject(new LonghaulError("settings.invalid", `cannot listen on ${host}:${port}: ${advice}`, { cause }));
    });
    server.listen(port, host, () => resolve());
  });
}

const ADVICE: Readonly<Record<string, string>> = {
  EADDRINUSE: "another program uses that port; set PORT to a free one",
  EACCES: "this user may not use that port; set PORT to one above 1023",
  EADDRNOTAVAIL: "this machine has no such address; set --host to one that it has",
};

function urlOf(server: Server): string {
  const address = server.address();
  if (address === null || typeof address === "string") {
    throw new LonghaulError("internal.bug", "the server listens on no network address");
  }
  const host = address.family === "IPv6" ? `[${address.address}]` : address.address;
  return `http://${host}:${address.port}`;
}

function closing(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
  });
}
