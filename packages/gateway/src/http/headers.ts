import type { IncomingMessage } from "node:http";

/** Node joins or drops headers that come twice; the guard wants to see every Host. */
export function hostsOf({ rawHeaders }: Pick<IncomingMessage, "rawHeaders">): string[] {
  const hosts: string[] = [];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    if (rawHeaders[at]?.toLowerCase() === "host") hosts.push(rawHeaders[at + 1] ?? "");
  }
  return hosts;
}

const KEY_HEADERS = ["authorization", "x-api-key", "x-goog-api-key", "x-longhaul-key"] as const;

/** Whether a client brings a key in a header. */
export function bringsKey(headers: IncomingMessage["headers"]): boolean {
  return KEY_HEADERS.some((name) => headers[name] !== undefined);
}
