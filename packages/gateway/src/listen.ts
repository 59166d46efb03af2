import { createServer, type RequestListener, type Server } from "node:http";
import { LonghaulError } from "@longhaul/conversation";

/** A server that accepts connections. */
export interface Listener {
  readonly url: string;
  /** Accepts no more connections and ends those there are. */
  close(): Promise<void>;
}

/** Where to listen. */
export interface ListenAddress {
  readonly host: string;
  /** 0 takes any free one. */
  readonly port: number;
  /** Whether other processes of this user listen there as well: the system gives each a share of the connections. @default false */
  readonly isShared?: boolean | undefined;
}

/** Load balancers keep idle connections for a minute; the side that closes last never meets a request on a closed one. */
const KEEP_ALIVE_MS = 75_000;
const HEADERS_TIMEOUT_MS = 80_000;
const MAX_HEADER_BYTES = 32 * 1024;

/** Listens; resolves once connections are accepted. An address that cannot be had throws `settings.invalid`. */
export async function listen(answer: RequestListener, address: ListenAddress): Promise<Listener> {
  const server = createServer(
    { maxHeaderSize: MAX_HEADER_BYTES, keepAliveTimeout: KEEP_ALIVE_MS, headersTimeout: HEADERS_TIMEOUT_MS },
    answer,
  );
  await listening(server, address);
  return { url: urlOf(server), close: () => closing(server) };
}

function listening(server: Server, { host, port, isShared = false }: ListenAddress): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (cause: NodeJS.ErrnoException) => {
      const advice = ADVICE[cause.code ?? ""] ?? cause.message;
      reject(new LonghaulError("settings.invalid", `cannot listen on ${host}:${port}: ${advice}`, { cause }));
    });
    server.listen({ host, port, exclusive: isShared, reusePort: isShared }, () => resolve());
  });
}

const ADVICE: Readonly<Record<string, string>> = {
  EADDRINUSE: "another program uses that port; give a free one with --port or PORT",
  EACCES: "this user may not use that port; give one above 1023 with --port or PORT",
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
    server.closeAllConnections();
  });
}
