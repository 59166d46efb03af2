import { type AddressInfo, createServer, type Socket } from "node:net";

/** Writes one response to a socket and closes it, cleanly or not. */
export type RawAnswer = (socket: Socket) => void;

/** An upstream that writes raw bytes to the socket, so that it can violate HTTP. */
export interface RawUpstream {
  readonly url: string;
  /** Heads of all requests in lower case. */
  readonly heads: string[];
  /** Sets the response to every later request. */
  answerWith(answer: RawAnswer): void;
  close(): Promise<void>;
}

/** Opens an upstream on loopback that serves one request per connection. */
export async function openRawUpstream(): Promise<RawUpstream> {
  let answer: RawAnswer = (socket) => socket.end();
  const heads: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket)).on("error", () => {});
    let received = Buffer.alloc(0);
    socket.on("data", (chunk) => {
      received = Buffer.concat([received, chunk]);
      const head = completeHead(received);
      if (head === undefined) return;
      received = Buffer.alloc(0);
      heads.push(head);
      answer(socket);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    heads,
    answerWith: (next) => {
      answer = next;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

/** Returns the head of a request after its body has arrived. */
function completeHead(received: Buffer): string | undefined {
  const end = received.indexOf("\r\n\r\n");
  if (end === -1) return undefined;
  const head = received.toString("latin1", 0, end).toLowerCase();
  const length = Number(/content-length: (\d+)/.exec(head)?.[1] ?? 0);
  return received.length >= end + 4 + length ? head : undefined;
}

/** Returns the head of a response that closes the connection. */
export function head(status: string, headers: Readonly<Record<string, string | number>>): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status}\r\n${lines.join("")}connection: close\r\n\r\n`;
}

/** Responds with a body and its length. */
export function whole(
  body: string | Buffer,
  { status = "200 OK", ...headers }: { status?: string; [name: string]: string } = {},
): RawAnswer {
  const length = Buffer.byteLength(body);
  return (socket) => {
    socket.write(head(status, { "content-type": "application/json", ...headers, "content-length": length }));
    socket.end(body);
  };
}

/** Responds with an event stream in separate writes and ends it cleanly. */
export function stream(
  pieces: readonly (string | Buffer)[],
  headers: Readonly<Record<string, string>> = {},
): RawAnswer {
  return (socket) => {
    socket.write(head("200 OK", { "content-type": "text/event-stream", ...headers }));
    void writeAll(socket, pieces).then(() => socket.end());
  };
}

/** Responds with a chunked event stream and resets the connection instead of sending the last chunk. */
export function resetStream(pieces: readonly string[]): RawAnswer {
  return (socket) => {
    socket.write(head("200 OK", { "content-type": "text/event-stream", "transfer-encoding": "chunked" }));
    const chunks = pieces.map((piece) => `${Buffer.byteLength(piece).toString(16)}\r\n${piece}\r\n`);
    void writeAll(socket, chunks).then(() => setImmediate(() => socket.destroy()));
  };
}

async function writeAll(socket: Socket, pieces: readonly (string | Buffer)[]): Promise<void> {
  for (const piece of pieces) {
    await new Promise<void>((resolve) => socket.write(piece, () => setImmediate(resolve)));
  }
}
