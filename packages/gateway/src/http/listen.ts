import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from "node:http";
import { Socket } from "node:net";
import { LonghaulError, table } from "@longhaul/conversation/advanced";

/** A server that accepts connections. */
export interface Listener {
  readonly url: string;
  /** Accepts no more connections and closes the open ones. */
  close(): Promise<void>;
}

export interface ListenAddress {
  readonly host: string;
  /** 0 selects a free port. */
  readonly port: number;
  /** Whether other processes of this user listen there too: the system distributes the connections. @default false */
  readonly isShared?: boolean | undefined;
  /** The setting for another port, for error messages. @default --port or PORT */
  readonly portSetting?: string;
  /** How long a request may take to arrive. @default two minutes */
  readonly requestTimeoutMs?: number;
}

/** Load balancers keep idle connections for a minute. The gateway keeps them longer, so that it never closes one that is about to be used. */
const KEEP_ALIVE_MS = 75_000;
const HEADERS_TIMEOUT_MS = 80_000;
const MAX_HEADER_BYTES = 32 * 1024;
/** Extra time for bodies that no stage reads: their answer was already sent. */
const UNREAD_GRACE_MS = 10_000;

/** Listens; resolves when connections are accepted. Throws `settings.invalid` if the address cannot be used. */
export async function listen(answer: RequestListener, address: ListenAddress): Promise<Listener> {
  const { requestTimeoutMs = DEFAULT_REQUEST_TIMEOUT_MS } = address;
  const lingering = new WeakSet<Socket>();
  const server = createServer(
    {
      maxHeaderSize: MAX_HEADER_BYTES,
      keepAliveTimeout: KEEP_ALIVE_MS,
      headersTimeout: HEADERS_TIMEOUT_MS,
      requestTimeout: Math.max(requestTimeoutMs, HEADERS_TIMEOUT_MS) + UNREAD_GRACE_MS,
    },
    (request, response) => {
      // Requests after a rejected body on the same connection are dropped: the client must send them again on another one.
      if (lingering.has(request.socket)) return void request.socket.destroy();
      closeIfUnread(request, response, lingering);
      answer(request, response);
    },
  );
  await listening(server, address);
  return { url: urlOf(server), close: () => closing(server) };
}

const DEFAULT_REQUEST_TIMEOUT_MS = 120_000;
/** Up to this size the rest of a body is read and discarded, and the connection stays open. */
const DISCARDED_BYTES = 1024 * 1024;
/** How long, and for how many bytes, a client may continue to send, so that it can read its answer. */
const LINGER_MS = 2_000;
const LINGER_BYTES = 16 * 1024 * 1024;

/**
 * Closes a connection whose request is answered before its large body, or one of unknown length, was read completely: the rest would precede
 * the next request. The client gets `connection: close`.
 */
function closeIfUnread(request: IncomingMessage, response: ServerResponse, lingering: WeakSet<Socket>): void {
  const { headers, socket } = request;
  const isLong = headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > DISCARDED_BYTES;
  if (!isLong) return;
  const { shouldKeepAlive } = response;
  response.shouldKeepAlive = false;
  // Node would close at once; data that the client still sends would then reset the connection before it has read the answer.
  const closeSoon = () => {
    if (request.complete) return void Socket.prototype.destroySoon.call(socket);
    lingering.add(socket);
    linger(socket);
  };
  socket.destroySoon = closeSoon;
  request.once("end", () => {
    response.shouldKeepAlive = shouldKeepAlive;
    // An idle connection would keep the request and its body in memory. A pipelined request may already have set its own.
    if (socket.destroySoon === closeSoon) Reflect.deleteProperty(socket, "destroySoon");
  });
}

function linger(socket: Socket): void {
  const most = socket.bytesRead + LINGER_BYTES;
  const watch = setInterval(() => {
    if (socket.bytesRead > most) socket.destroy();
  }, LINGER_MS / 20);
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once("close", () => {
    clearInterval(watch);
    clearTimeout(timer);
  });
  socket.end();
}

function listening(server: Server, address: ListenAddress): Promise<void> {
  const { host, port, isShared = false, portSetting = "--port or PORT" } = address;
  return new Promise((resolve, reject) => {
    server.once("error", (cause: NodeJS.ErrnoException) => {
      const advice = ADVICE[cause.code ?? ""]?.replace("{setting}", portSetting) ?? cause.message;
      reject(new LonghaulError("settings.invalid", `cannot listen on ${host}:${port}: ${advice}`, { cause }));
    });
    server.listen({ host, port, exclusive: isShared, reusePort: isShared }, () => resolve());
  });
}

const ADVICE: Readonly<Record<string, string>> = table({
  EADDRINUSE: "another program uses this port; choose another one with {setting}",
  EACCES: "this user may not use this port; choose one above 1023 with {setting}",
  EADDRNOTAVAIL: "this machine does not have this address; choose one of its own with --host",
});

function urlOf(server: Server): string {
  const address = server.address();
  if (address === null || typeof address === "string") {
    throw new LonghaulError("internal.bug", "the server is not listening on a network address");
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
