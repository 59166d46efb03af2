import type { Config } from "@longhaul/settings";

/** Replaces credentials in a text. */
export type Redact = (text: string) => string;

const MARK = "[redacted]";
/** Shorter than any real credential; shorter values occur in ordinary words. */
const MIN_SECRET_CHARS = 8;

/** Returns the credentials of a configuration: keys, passwords in URLs, and the values of extra headers, which are mostly credentials. */
export function secretsIn({ upstreams, store, telemetry, alerts, server }: Config): string[] {
  const ofUpstreams = Object.values(upstreams).flatMap((upstream) => {
    const { apiKey, accessKeyId, secretAccessKey, sessionToken, headers, baseUrl } = upstream;
    const keys = [apiKey, accessKeyId, secretAccessKey, sessionToken];
    return [...keys, ...Object.values(headers), ...passwordsIn(baseUrl)];
  });
  const ofCollector = [...Object.values(telemetry.otlpHeaders), ...passwordsIn(telemetry.otlpEndpoint)];
  const ofAlerts = [alerts.webhook, alerts.webhookSecret];
  const values = [...ofUpstreams, ...passwordsIn(store.url), ...ofCollector, ...ofAlerts, server.adminToken];
  const secrets = values.filter((value) => value !== undefined && value.length >= MIN_SECRET_CHARS);
  return [...new Set(secrets)].filter((value) => value !== undefined);
}

/** Returns the password of a URL, encoded and decoded. */
function passwordsIn(address: string | undefined): string[] {
  if (address === undefined || !URL.canParse(address)) return [];
  const { password } = new URL(address);
  try {
    return [password, decodeURIComponent(password)];
  } catch {
    return [password];
  }
}

/** Redacts these credentials, in plain text and with JSON escapes. */
export function makeRedactor(secrets: readonly string[]): Redact {
  const forms = secrets.flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)]);
  // Longest first: one key may be a prefix of another.
  const ordered = [...new Set(forms)].sort((a, b) => b.length - a.length);
  return (text) =>
    ordered.reduce((rest, secret) => (rest.includes(secret) ? rest.replaceAll(secret, MARK) : rest), text);
}

const KEY_HEADERS = ["authorization", "x-api-key", "x-goog-api-key"] as const;

/** Also redacts the client's own credentials; values too short for a credential stay. */
export function redactAlso(redact: Redact, headers: Readonly<Record<string, string>>): Redact {
  const values = KEY_HEADERS.map((name) => headers[name]?.replace(/^Bearer\s+/i, ""));
  const secrets = values.filter((value) => value !== undefined && value.length >= MIN_SECRET_CHARS);
  const redactOwn = makeRedactor(secrets.filter((value) => value !== undefined));
  return (text) => redactOwn(redact(text));
}

/** Redacts bytes of any encoding; returns the identical object if there is nothing to redact. */
export function redactBytes(bytes: Buffer, redact: Redact): Buffer {
  const text = bytes.toString("latin1");
  const redacted = redact(text);
  return redacted === text ? bytes : Buffer.from(redacted, "latin1");
}

/** Addresses inside a network: private and loopback addresses, and names without a public DNS entry. */
const INTERNAL_ADDRESS =
  /(?<![\w.-])(?:https?:\/\/)?(?:(?:10|127)(?:\.\d{1,3}){3}|(?:192\.168|169\.254|172\.(?:1[6-9]|2\d|3[01]))(?:\.\d{1,3}){2}|\[(?:::1|f[cd][\da-f]{2}:[\da-f:]*|fe80:[\da-f:]*)\]|(?:[\w-]+\.)+(?:internal|local|localhost|svc|lan|corp|intranet)|localhost)(?::\d{1,5})?(?![\w.-])/gi;

/** Removes an upstream's own address, and everything that looks like an internal address, from a text for clients. */
export function hideAddresses(text: string, baseUrl: string): string {
  const { origin, host, hostname } = new URL(baseUrl);
  const own = [origin, ...(hostname.includes(".") ? [host, hostname] : [])];
  return own.reduce((rest, each) => rest.replaceAll(each, HIDDEN), text).replace(INTERNAL_ADDRESS, HIDDEN);
}

const HIDDEN = "[upstream]";

/** Returns why a request failed, without the message of `fetch`: it may contain the URL, and the URL a password. */
export function failureCode(error: unknown): string {
  if (!(error instanceof Error)) return "unknown error";
  const { cause } = error;
  const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
  return typeof code === "string" ? code : error.name === "Error" ? error.message : error.name;
}
