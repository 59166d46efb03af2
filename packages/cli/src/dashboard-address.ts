import { reachableHost } from "./reachable-address.ts";

/** The address that signs somebody in at a gateway's dashboard. What follows the `#` is never sent, so no server or proxy writes it down. */
export function dashboardAddress(adminUrl: string, token: string): string {
  const url = new URL(adminUrl);
  url.hostname = reachableHost(url.hostname);
  return `${url.origin}/#token=${token}`;
}
