import { LonghaulError } from "@longhaul/conversation";
import { loadConfig } from "@longhaul/gateway";
import { configSource } from "../config-source.ts";
import { reachableAddress } from "../reachable-address.ts";
import type { Terminal } from "../terminal.ts";
import { CLIENTS, type Client } from "./clients.ts";
import type { Filling } from "./fill.ts";

/** The flags that say what a client is pointed at. */
export interface ClientFlags {
  readonly url?: string;
  readonly key?: string;
  readonly model: string;
}

/** The client with this id. */
export function findClient(id: string): Client {
  const client = CLIENTS.find((each) => each.id === id.toLowerCase());
  if (client !== undefined) return client;
  const known = CLIENTS.map((each) => each.id).join(", ");
  throw new LonghaulError("settings.invalid", `there is no client "${id}"; choose among ${known}`);
}

/** The clients and what can be done for each. */
export function listClients(): string {
  const width = Math.max(...CLIENTS.map(({ id }) => id.length));
  const lines = CLIENTS.map(({ id, name, program, files }) => {
    const can = [
      "connect",
      ...(files === undefined ? [] : ["connect --write"]),
      ...(program === undefined ? [] : ["run"]),
    ];
    return `${id.padEnd(width)}  ${name} (${can.join(", ")})\n`;
  });
  return lines.join("");
}

/** What stands for a client's placeholders: the flags, else the environment and the configuration that `start` would take. */
export function fillingOf({ url, key, model }: ClientFlags, terminal: Terminal): Filling {
  const given = key ?? (terminal.environment.LONGHAUL_KEY || undefined);
  return { url: url === undefined ? configuredUrl(terminal) : plainUrl(url), model, key: given };
}

/** Clients add the version themselves. */
function plainUrl(url: string): string {
  if (/^https?:\/\/[^/]/.test(url)) return url.replace(/\/+$/, "").replace(/\/v1$/, "");
  throw new LonghaulError("settings.invalid", `--url: "${url}" is no address; give one such as http://127.0.0.1:4141`);
}

function configuredUrl(terminal: Terminal): string {
  const { host, port } = loadConfig(configSource({}, terminal)).config.server;
  return reachableAddress(host, port);
}
