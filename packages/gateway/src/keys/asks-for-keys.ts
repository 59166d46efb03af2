import { LonghaulError } from "@longhaul/conversation";
import { type Config, isLoopback } from "@longhaul/settings";
import type { KeyRing } from "./key-ring.ts";

type ServerConfig = Pick<Config["server"], "keys" | "host">;

/** Whether clients need a key: where the operator says so, and otherwise from the first key on, or where others than this machine get in. */
export async function asksForKeys({ keys, host }: ServerConfig, ring: Pick<KeyRing, "hasKeys">): Promise<boolean> {
  if (keys !== "auto") return keys === "required";
  return !isLoopback(host) || (await ring.hasKeys());
}

/** Refuses an address that others can reach while there is no key that could be asked for. */
export async function checkHost({ keys, host }: ServerConfig, ring: Pick<KeyRing, "hasKeys">): Promise<void> {
  if (keys !== "auto" || isLoopback(host) || (await ring.hasKeys())) return;
  throw new LonghaulError(
    "settings.invalid",
    `server.host: others can reach ${host}, and there is no key yet; make one with \`longhaul keys create\`, ` +
      "set server.keys to required to start without any, or to off where somebody else checks who comes in",
  );
}
