import type { Config } from "./config.ts";

/** Returns whether only this machine can reach an address that the gateway listens on. */
export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || host === "[::1]" || /^127(?:\.\d{1,3}){3}$/.test(host);
}

type ServerAddress = Pick<Config["server"], "host" | "port" | "adminHost" | "adminPort">;

/** Returns where dashboard and admin API listen: at the model API's port if that is a loopback address, else at a local port. */
export function adminAddress(server: ServerAddress): Pick<ServerAddress, "host" | "port"> {
  const { host, port, adminHost = isLoopback(host) ? host : "127.0.0.1" } = server;
  const isTogether = isLoopback(host) && adminHost === host;
  return { host: adminHost, port: server.adminPort ?? (isTogether || port === 0 ? port : nextPort(port)) };
}

/** Returns whether the dashboard and the admin API share the port of the model API, and so its origin. */
export function sharesAdminPort(server: ServerAddress): boolean {
  const { host, port, adminPort } = server;
  if (adminAddress(server).host !== host) return false;
  return adminPort === undefined ? isLoopback(host) : adminPort === port && port !== 0;
}

const LAST_PORT = 65_535;

function nextPort(port: number): number {
  return port < LAST_PORT ? port + 1 : port - 1;
}
