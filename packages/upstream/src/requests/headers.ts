/** Headers by lower-case name. */
export type Headers = Readonly<Record<string, string>>;

/** An object without prototype names. Unlike one made by `Object.create(null)`, it is as fast as a literal. */
class Flat {
  [name: string]: string;
}
Object.setPrototypeOf(Flat.prototype, null);
Reflect.deleteProperty(Flat.prototype, "constructor");

/** Joins the values of each name with a comma. A header can have any name, so the result has no prototype names. */
export function flatHeaders(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  const flat = new Flat();
  for (const name in headers) {
    const value = headers[name];
    if (value !== undefined) flat[name] = typeof value === "string" ? value : value.join(", ");
  }
  return flat;
}

/** Client headers that are sent to an upstream of the same format, with all names that match `REQUEST_PREFIX`. */
const REQUEST_NAMES = new Set([
  "accept",
  "content-type",
  "user-agent",
  "idempotency-key",
  "openai-organization",
  "openai-project",
]);
const REQUEST_PREFIX = /^(?:anthropic-|x-stainless-|x-goog-|openai-|x-claude-|x-codex-|session|thread-id|originator)/;

/** Credentials and connection headers are never sent. */
const CREDENTIALS = new Set(["authorization", "x-api-key", "x-goog-api-key", "proxy-authorization", "cookie"]);

/** Headers that choose who pays among the organizations and projects of one account. */
const ACCOUNT = new Set(["openai-organization", "openai-project", "x-goog-user-project"]);

interface RequestHeadersOptions {
  /** Whether the client's own account pays. In the operator's account, a client chooses nothing. */
  readonly isOwnAccount: boolean;
}

/** Returns the headers of a client's request that an upstream of the same format gets. */
export function requestHeaders(client: Headers, { isOwnAccount }: RequestHeadersOptions): Record<string, string> {
  return chosen(client, (name) => travels(name) && (isOwnAccount || !ACCOUNT.has(name)));
}

const travels = remembered((name) => !CREDENTIALS.has(name) && (REQUEST_NAMES.has(name) || REQUEST_PREFIX.test(name)));

/** Answer headers for a client of the same format. All others are dropped: those of one connection or site, and our own names. */
const ANSWER_NAMES = new Set([
  "content-type",
  "content-disposition",
  "retry-after",
  "retry-after-ms",
  "x-should-retry",
  // Ids for support requests.
  "request-id",
  "x-request-id",
  "x-ms-client-request-id",
  "apim-request-id",
  "x-amzn-requestid",
  "x-generation-id",
  "x-trace-id",
  "x-correlation-id",
  "mistral-correlation-id",
  "cf-ray",
  // The model that answered and how long it took.
  "openai-model",
  "openai-organization",
  "openai-processing-ms",
  "openai-project",
  "openai-version",
  "x-amzn-errortype",
  "x-groq-region",
  "x-ms-region",
  "x-ms-deployment-name",
  "x-reasoning-included",
  "x-models-etag",
  // Deprecations.
  "deprecation",
  "sunset",
  "warning",
]);
const ANSWER_PREFIX = /^(?:anthropic-|x-ratelimit-|x-codex-|x-amzn-bedrock-)/;

/** Returns the headers of an upstream's answer that a client of the same format gets. */
export function answerHeaders(upstream: Headers): Record<string, string> {
  return chosen(upstream, returns);
}

const returns = remembered((name) => ANSWER_NAMES.has(name) || ANSWER_PREFIX.test(name));

const MAX_REMEMBERED = 1_000;

/** Caches the decision about a name: nearly all requests have the same few names. */
function remembered(decide: (name: string) => boolean): (name: string) => boolean {
  const known = new Map<string, boolean>();
  return (name) => {
    const found = known.get(name);
    if (found !== undefined) return found;
    const decided = decide(name);
    if (known.size < MAX_REMEMBERED) known.set(name, decided);
    return decided;
  };
}

function chosen(headers: Headers, isChosen: (name: string) => boolean): Record<string, string> {
  const left: Record<string, string> = {};
  // No name that is sent is a prototype's.
  for (const name in headers) if (isChosen(name)) left[name] = headers[name] ?? "";
  return left;
}

/** Returns the credential that a client sent, in any header: a bearer token or a bare key. */
export function clientCredential(client: Headers): string | undefined {
  const bearer = /^Bearer\s+(.+)$/i.exec(client.authorization ?? "")?.[1];
  return client["x-api-key"] || client["x-goog-api-key"] || bearer;
}
