import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";
import { LonghaulError } from "@longhaul/conversation";

/** The parts of a request that are checked before anything else. */
export interface RequestHead {
  readonly target: string;
  readonly hosts: readonly string[];
  /** The page that a browser sends the request for. */
  readonly origin?: string | undefined;
  /** Whether it has a key in a header that a page cannot send across origins without permission. */
  readonly hasKey?: boolean;
}

export interface Location {
  /** Decoded once; no segment can be read as another path. */
  readonly path: string;
  /** With its question mark, or empty. */
  readonly query: string;
}

const HOST = /^(?<name>\[[0-9a-f:.]+\]|[a-z0-9.-]+)(?::\d{1,5})?$/i;
const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"]);

/**
 * Rejects requests that another web page or a confused proxy could send: a foreign Host (DNS rebinding), two Hosts, a target that is not a
 * plain path. Node's own parser accepts all of these.
 */
export function checkHead(
  { target, hosts, origin, hasKey = false }: RequestHead,
  allowed: readonly string[],
): Location {
  const host = hosts.length === 1 ? HOST.exec(hosts[0] ?? "")?.groups?.name?.toLowerCase() : undefined;
  if (host === undefined)
    throw new LonghaulError("request.malformed", "the request must have exactly one valid Host header");
  if (!isOurs(host, allowed)) {
    throw new LonghaulError(
      "auth.denied",
      `the host "${host}" is not allowed; add it under server.hosts in the configuration`,
    );
  }
  if (origin !== undefined && !hasKey && !isOurPage(origin, [host, ...allowed])) {
    throw new LonghaulError(
      "auth.denied",
      `web pages from "${origin.slice(0, MAX_ORIGIN_CHARS)}" need an API key; send one, or add the page's host under server.hosts`,
    );
  }
  const end = target.indexOf("?");
  const path = end === -1 ? target : target.slice(0, end);
  return { path: PLAIN_PATH.test(path) ? path : decodePath(path), query: end === -1 ? "" : target.slice(end) };
}

/** Matches nearly every path, and nothing that decoding would change or reject. */
const PLAIN_PATH = /^(?:\/[\w:-][\w.:-]*)+$/;

/** Text that a second decoding would change, and characters that a server or proxy could read as a separator or an end. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern rejects control characters.
const UNSAFE_SEGMENT = /[/\\\u0000-\u001f\u007f]|%[0-9a-f]{2}|^\.\.?$/i;

/**
 * Decodes a path once. Throws if a second decoding or another parser could see a different path: dot segments, encoded slashes,
 * backslashes, control characters, double encoding, empty segments.
 */
function decodePath(path: string): string {
  const [first, ...segments] = path.split("/").map(decodeSegment);
  const inner = segments.slice(0, -1);
  const isPlain = first === "" && segments.length > 0 && !inner.includes("");
  if (!isPlain || segments.some((segment) => segment === undefined || UNSAFE_SEGMENT.test(segment))) {
    throw new LonghaulError(
      "request.malformed",
      "the request target must be a plain absolute path, without dot segments, empty segments, encoded slashes or double encoding",
    );
  }
  return `/${segments.join("/")}`;
}

function decodeSegment(segment: string): string | undefined {
  if (!segment.includes("%")) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}

const MAX_ORIGIN_CHARS = 100;

/**
 * Any page can make a browser post plain text to localhost, and anyone can serve a page from a numeric address. Programs other than browsers
 * send another scheme, or no origin.
 */
function isOurPage(origin: string, allowed: readonly string[]): boolean {
  const isWebPage = origin === "null" || /^https?:/i.test(origin);
  if (!isWebPage) return true;
  const name = URL.canParse(origin) ? new URL(origin).hostname.toLowerCase() : "";
  return LOOPBACK.has(name) || allowed.includes(name);
}

/** Whether a Host is acceptable. A numeric address cannot be rebound to another name, so every one is. */
function isOurs(host: string, allowed: readonly string[]): boolean {
  return LOOPBACK.has(host) || isIP(host.replace(/^\[|\]$/g, "")) !== 0 || allowed.includes(host);
}

/** Returns every Host header: Node joins or drops repeated headers. */
export function hostsOf({ rawHeaders }: Pick<IncomingMessage, "rawHeaders">): string[] {
  const hosts: string[] = [];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    if (rawHeaders[at]?.toLowerCase() === "host") hosts.push(rawHeaders[at + 1] ?? "");
  }
  return hosts;
}

const KEY_HEADERS = ["authorization", "x-api-key", "x-goog-api-key", "x-longhaul-key"] as const;

export function hasKeyHeader(headers: IncomingMessage["headers"]): boolean {
  return KEY_HEADERS.some((name) => headers[name] !== undefined);
}

/** Whether a request asks for a WebSocket. Any other upgrade is an offer that can be ignored: Java's clients offer HTTP/2. */
export function asksForWebSocket(headers: { readonly upgrade?: string | undefined }): boolean {
  return headers.upgrade?.toLowerCase() === "websocket";
}
