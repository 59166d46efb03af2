import { LonghaulError, table } from "@longhaul/conversation";

/** The address by which a program on this machine reaches a gateway that listens there. */
export function reachableAddress(host: string, port: number): string {
  return `http://${reachableHost(host)}:${port}`;
}

/** The host of such an address. */
export function reachableHost(host: string): string {
  const plain = host.replace(/^\[(.*)\]$/, "$1");
  const here = HERE[plain] ?? plain;
  return here.includes(":") ? `[${here}]` : here;
}

/** A gateway that listens everywhere is here, too. */
const HERE: Readonly<Record<string, string>> = table({ "0.0.0.0": "127.0.0.1", "::": "::1" });

/** The address that signs somebody in at a gateway's dashboard. What follows the `#` is never sent, so no server or proxy writes it down. */
export function dashboardAddress(adminUrl: string, token: string): string {
  const url = new URL(adminUrl);
  url.hostname = reachableHost(url.hostname);
  return `${url.origin}/#token=${token}`;
}

const PROBE_TIMEOUT_MS = 5_000;

/** Gives the address back where a gateway answers at it; where none does, throws and says by which flags another one is named. */
export async function requireAnswering(url: string, flags: string): Promise<string> {
  try {
    await fetch(`${url}/api/hello`, { method: "HEAD", signal: AbortSignal.timeout(PROBE_TIMEOUT_MS) });
    return url;
  } catch (cause) {
    throw new LonghaulError(
      "settings.invalid",
      `no gateway answers at ${url}; start one with \`longhaul start\`, or say where it is with ${flags}`,
      { cause },
    );
  }
}
