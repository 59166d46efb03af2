import clients from "./clients.json" with { type: "json" };

/** The shortest way to point each client at a gateway. `npm run schema` writes the list, from what `longhaul connect` knows. */
export function clientLines(url: string): typeof clients {
  return clients.map((client) => ({ ...client, lines: client.lines.replaceAll("{url}", url) }));
}

/** Where clients reach the gateway, seen from a page at `origin`. */
export function clientUrl(origin: string, clientPort: number | undefined): string {
  if (clientPort === undefined) return origin;
  const url = new URL(origin);
  url.port = String(clientPort);
  return url.origin;
}
