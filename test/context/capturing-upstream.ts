import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** An upstream that says the same whatever it is asked, and keeps the bytes that it was asked with. */
export interface CapturingUpstream {
  readonly url: string;
  readonly bodies: readonly string[];
  close(): Promise<void>;
}

/** Opens one that answers with this, as JSON or as server-sent events. */
export async function openCapturingUpstream(status: number, body: string): Promise<CapturingUpstream> {
  const type = body.startsWith("{") ? "application/json" : "text/event-stream";
  const bodies: string[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    bodies.push(Buffer.concat(chunks).toString());
    response.writeHead(status, { "content-type": type }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    bodies,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
