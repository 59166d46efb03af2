/** Headers by lower-case name. */
export type Headers = Readonly<Record<string, string>>;

/** Client headers that travel to an upstream of the same format, besides everything under the prefixes below. */
const REQUEST_NAMES = new Set([
  "accept",
  "content-type",
  "user-agent",
  "idempotency-key",
  "openai-organization",
  "openai-project",
]);
const REQUEST_PREFIXES = [
  "anthropic-",
  "x-stainless-",
  "x-goog-",
  "openai-",
  "x-claude-",
  "x-codex-",
  "session",
  "thread-id",
  "originator",
];

/** Credentials and what belongs to one connection never travel. */
const CREDENTIALS = new Set(["authorization", "x-api-key", "x-goog-api-key", "proxy-authorization", "cookie"]);

/** The headers of a client's request that an upstream of the same format gets. */
export function requestHeaders(client: Headers): Record<string, string> {
  const travels = ([name]: [string, string]) =>
    !CREDENTIALS.has(name) && (REQUEST_NAMES.has(name) || REQUEST_PREFIXES.some((prefix) => name.startsWith(prefix)));
  return Object.fromEntries(Object.entries(client).filter(travels));
}

/** Answer headers that belong to one connection, or that are no longer true of what the client gets. */
const CONNECTION = new Set([
  "connection",
  "keep-alive",
  "proxy-authenticate",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
  "content-length",
  "content-encoding",
  "set-cookie",
  "alt-svc",
  "strict-transport-security",
]);

/** The headers of an upstream's answer that a client of the same format gets: request ids, rate limits and the like. */
export function answerHeaders(upstream: Headers): Record<string, string> {
  return Object.fromEntries(Object.entries(upstream).filter(([name]) => !CONNECTION.has(name)));
}

/** The credential that a client sent, in whichever header: a bearer token or a bare key. */
export function clientCredential(client: Headers): string | undefined {
  const bearer = /^Bearer\s+(.+)$/i.exec(client.authorization ?? "")?.[1];
  return client["x-api-key"] ?? client["x-goog-api-key"] ?? bearer;
}
