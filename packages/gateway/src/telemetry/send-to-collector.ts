/** Where a collector is, and what it is sent besides. */
export interface Collector {
  readonly endpoint: string;
  readonly headers: Readonly<Record<string, string>>;
}

const TIMEOUT_MS = 5_000;

/** Posts JSON to a path of the collector; rejects where that does not take it. */
export async function sendToCollector({ endpoint, headers }: Collector, path: string, body: string): Promise<void> {
  const { address, authorization } = addressOf(endpoint, path);
  const response = await fetch(address, {
    method: "POST",
    body,
    headers: { "content-type": "application/json", ...authorization, ...headers },
    redirect: "error",
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  await response.arrayBuffer();
  if (!response.ok) throw new Error(`it answered ${response.status}`);
}

/** A name and a password in the address go into a header: `fetch` takes no address that has them. */
function addressOf(endpoint: string, path: string) {
  const address = new URL(endpoint);
  const { username, password } = address;
  address.username = "";
  address.password = "";
  address.pathname = `${address.pathname.replace(/\/+$/, "")}${path}`;
  if (username === "") return { address, authorization: {} };
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { address, authorization: { authorization: `Basic ${Buffer.from(credentials).toString("base64")}` } };
}
