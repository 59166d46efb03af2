import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { LonghaulError } from "@longhaul/conversation";

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
  const server = createServer((request, response) => {
    const isHealth = request.url === "/healthz" && request.method === "GET";
    response.writeHead(isHealth ? 200 : 404, { "content-type": "application/json" });
    response.end(JSON.stringify(isHealth ? { status: "ok" } : notFound(request.url ?? "/")));
  });
  await listening(server, listen);
  const { address, port } = server.address() as AddressInfo;
  return { url: `http://${address.includes(":") ? `[${address}]` : address}:${port}`, close: () => closing(server) };
}

function notFound(path: string): object {
  return {
    error: {
      code: "route.unknown",
      message: `nothing is served at ${path}; GET /healthz tells whether the gateway is up`,
    },
  };
}

function listening(server: Server, { host, port }: Listen): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (cause: NodeJS.ErrnoException) => {
      const advice = cause.code === "EADDRINUSE" ? "; another program uses that port: set PORT to a free one" : "";
      reject(new LonghaulError("settings.invalid", `cannot listen on ${host}:${port}${advice}`, { cause }));
    });
    server.listen(port, host, () => resolve());
  });
}

function closing(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
  });
}
