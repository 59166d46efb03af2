/** The address that signs somebody in at a gateway's dashboard. What follows the `#` is never sent, so no server or proxy writes it down. */
export function dashboardAddress(adminUrl: string, token: string): string {
  const url = new URL(adminUrl);
  // A gateway that listens everywhere is here, too.
  if (url.hostname === "0.0.0.0") url.hostname = "127.0.0.1";
  if (url.hostname === "[::]") url.hostname = "[::1]";
  return `${url.origin}/#token=${token}`;
}
