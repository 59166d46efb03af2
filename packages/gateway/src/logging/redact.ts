import type { Config } from "@longhaul/settings";

/** Puts a mark where a text holds a credential. */
export type Redact = (text: string) => string;

const MARK = "[redacted]";
/** Shorter than any real credential; what is shorter stands in too many words. */
const MIN_SECRET_CHARS = 8;

/** The credentials of a configuration: keys, passwords in addresses, and the values of further headers, which are mostly credentials too. */
export function secretsIn({ upstreams, store, telemetry, server }: Config): string[] {
  const ofUpstreams = Object.values(upstreams).flatMap((upstream) => {
    const { apiKey, accessKeyId, secretAccessKey, sessionToken, headers, baseUrl } = upstream;
    const keys = [apiKey, accessKeyId, secretAccessKey, sessionToken];
    return [...keys, ...Object.values(headers), ...passwordsIn(baseUrl)];
  });
  const ofCollector = [...Object.values(telemetry.otlpHeaders), ...passwordsIn(telemetry.otlpEndpoint)];
  const values = [...ofUpstreams, ...passwordsIn(store.url), ...ofCollector, server.adminToken];
  const secrets = values.filter((value) => value !== undefined && value.length >= MIN_SECRET_CHARS);
  return [...new Set(secrets)].filter((value) => value !== undefined);
}

/** The password of an address, as it is spelled there and as it is meant. */
function passwordsIn(address: string | undefined): string[] {
  if (address === undefined || !URL.canParse(address)) return [];
  const { password } = new URL(address);
  try {
    return [password, decodeURIComponent(password)];
  } catch {
    return [password];
  }
}

/** Redacts these credentials, in plain text and as JSON spells them. */
export function makeRedactor(secrets: readonly string[]): Redact {
  const spellings = secrets.flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)]);
  // A key may begin another one: the longest goes first.
  const ordered = [...new Set(spellings)].sort((a, b) => b.length - a.length);
  return (text) =>
    ordered.reduce((rest, secret) => (rest.includes(secret) ? rest.replaceAll(secret, MARK) : rest), text);
}

const KEY_HEADERS = ["authorization", "x-api-key", "x-goog-api-key"] as const;

/** Also redacts the client's own credentials; values too short for a credential stay. */
export function redactAlso(redact: Redact, headers: Readonly<Record<string, string>>): Redact {
  const shown = KEY_HEADERS.map((name) => headers[name]?.replace(/^Bearer\s+/i, ""));
  const secrets = shown.filter((value) => value !== undefined && value.length >= MIN_SECRET_CHARS);
  const redactOwn = makeRedactor(secrets.filter((value) => value !== undefined));
  return (text) => redactOwn(redact(text));
}

/** Redacts bytes of whatever encoding; where there is nothing to redact, they are the same object. */
export function redactBytes(bytes: Buffer, redact: Redact): Buffer {
  const text = bytes.toString("latin1");
  const told = redact(text);
  return told === text ? bytes : Buffer.from(told, "latin1");
}

/** Addresses that exist only inside a network: private and loopback ones, and names that no public resolver knows. */
const INTERNAL_ADDRESS =
  /(?<![\w.-])(?:https?:\/\/)?(?:(?:10|127)(?:\.\d{1,3}){3}|(?:192\.168|169\.254|172\.(?:1[6-9]|2\d|3[01]))(?:\.\d{1,3}){2}|\[(?:::1|f[cd][\da-f]{2}:[\da-f:]*|fe80:[\da-f:]*)\]|(?:[\w-]+\.)+(?:internal|local|localhost|svc|lan|corp|intranet)|localhost)(?::\d{1,5})?(?![\w.-])/gi;

/** Takes an upstream's own address, and whatever else looks like one inside a network, out of a text for clients. */
export function hideAddresses(text: string, baseUrl: string): string {
  const { origin, host, hostname } = new URL(baseUrl);
  const own = [origin, ...(hostname.includes(".") ? [host, hostname] : [])];
  return own.reduce((rest, each) => rest.replaceAll(each, HIDDEN), text).replace(INTERNAL_ADDRESS, HIDDEN);
}

const HIDDEN = "[upstream]";
