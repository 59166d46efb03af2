import { LonghaulError } from "@longhaul/conversation";
import { loadConfig } from "@longhaul/gateway";
import { configSource } from "../config/config-source.ts";
import { reachableAddress } from "../gateway/address.ts";
import type { Terminal } from "../terminal/terminal.ts";
import type { Filling } from "./fill.ts";

/** The flags that say what a client is pointed at. */
export interface ClientFlags {
  readonly url?: string;
  readonly key?: string;
  readonly model: string;
}

/** What stands for a client's placeholders: the flags, else the environment and the configuration that `start` would take. */
export function fillingOf({ url, key, model }: ClientFlags, terminal: Terminal): Filling {
  const given = key ?? (terminal.environment.LONGHAUL_KEY || undefined);
  return { url: url === undefined ? configuredUrl(terminal) : plainUrl(url), model, key: given };
}

/** Clients add the version themselves. */
function plainUrl(url: string): string {
  if (/^https?:\/\/[^/]/.test(url)) return url.replace(/\/+$/, "").replace(/\/v1$/, "");
  throw new LonghaulError("settings.invalid", `--url: "${url}" is not a URL; use one such as http://127.0.0.1:4141`);
}

function configuredUrl(terminal: Terminal): string {
  const { host, port } = loadConfig(configSource({}, terminal)).config.server;
  return reachableAddress(host, port);
}
