import { table } from "@longhaul/conversation";
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
