import { table } from "@longhaul/conversation/advanced";
import { isLoopback } from "@longhaul/settings";
import { invalid } from "../terminal/invalid.ts";

/** Returns the URL at which a program on this machine reaches a gateway that listens on this host and port. */
export function reachableAddress(host: string, port: number): string {
  return `http://${reachableHost(host)}:${port}`;
}

export function reachableHost(host: string): string {
  const plain = host.replace(/^\[(.*)\]$/, "$1");
  const here = HERE[plain] ?? plain;
  return here.includes(":") ? `[${here}]` : here;
}

/** Loopback addresses for hosts that mean every network interface. */
const HERE: Readonly<Record<string, string>> = table({ "0.0.0.0": "127.0.0.1", "::": "::1" });

/** Returns a link that signs in to the dashboard. Browsers do not send the part after `#`, so no server or proxy logs the token. */
export function dashboardAddress(adminUrl: string, token: string): string {
  const url = new URL(adminUrl);
  url.hostname = reachableHost(url.hostname);
  return `${url.origin}/#token=${token}`;
}

const PROBE_TIMEOUT_MS = 5_000;

/** Returns the URL if a gateway answers at it; otherwise throws and names the flags that choose another one. */
export async function requireAnswering(url: string, flags: string): Promise<string> {
  if (await isAnswering(url)) return url;
  throw invalid(`no gateway is running at ${url}; start it with \`longhaul start\`, or set its address with ${flags}`);
}

/** Returns whether a gateway answers at a URL. Elsewhere than on this machine, any answer counts: a proxy can be in front of the gateway. */
export async function isAnswering(url: string): Promise<boolean> {
  if (isLoopback(new URL(url).hostname)) return isLonghaul(url);
  try {
    await fetch(`${url}/api/hello`, { method: "HEAD", signal: AbortSignal.timeout(PROBE_TIMEOUT_MS) });
    return true;
  } catch {
    return false;
  }
}

/** Returns whether a gateway, and not another program, answers at a URL. */
export async function isLonghaul(url: string): Promise<boolean> {
  try {
    const response = await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(PROBE_TIMEOUT_MS) });
    return response.headers.has("x-longhaul-request-id") || (await response.text()).includes('"status":"ok"');
  } catch {
    return false;
  }
}
