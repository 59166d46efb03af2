import { isIP } from "node:net";
import { LonghaulError } from "@longhaul/conversation";

/** What of a request is looked at before anything else. */
export interface RequestHead {
  /** The request target as it came. */
  readonly target: string;
  /** Every Host header as it came. */
  readonly hosts: readonly string[];
  /** The page that a browser makes the request for. */
  readonly origin?: string | undefined;
  /** Whether it brings a key of its own, in a header that no page can send to a stranger unasked. */
  readonly hasKey?: boolean;
}

/** Where a request wants to go. */
export interface Location {
  /** Decoded once, with no segment that could be read as another path. */
  readonly path: string;
  /** With its question mark, or empty. */
  readonly query: string;
}

const HOST = /^(?<name>\[[0-9a-f:.]+\]|[a-z0-9.-]+)(?::\d{1,5})?$/i;
const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"]);

/**
 * Refuses requests that another web page or a confused proxy could make: a Host that is not ours (DNS rebinding), two of them, a target
 * that is not a plain path. Node's own parser lets all of these through.
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
      `this gateway does not answer to the host "${host}"; add it under server.hosts in the configuration`,
    );
  }
  if (origin !== undefined && !hasKey && !isOurPage(origin, allowed)) {
    throw new LonghaulError(
      "auth.denied",
      `this gateway does not answer to pages of "${origin.slice(0, MAX_ORIGIN_CHARS)}" without a key; send one, or add the page's host under server.hosts`,
    );
  }
  const end = target.indexOf("?");
  const path = end === -1 ? target : target.slice(0, end);
  return { path: PLAIN_PATH.test(path) ? path : decodePath(path), query: end === -1 ? "" : target.slice(end) };
}

/** Matches nearly every path, and nothing that decoding would change or refuse. */
const PLAIN_PATH = /^(?:\/[\w:-][\w.:-]*)+$/;

/** Text that a second decoding would change, and characters that a server or proxy could read as a separator or an end. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused.
const UNSAFE_SEGMENT = /[/\\\u0000-\u001f\u007f]|%[0-9a-f]{2}|^\.\.?$/i;

/**
 * Decodes a path once. Throws if another decoding or another reader could see a different path in it: dot segments, encoded slashes,
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

/** Any page may make a browser post plain text to this machine; programs that are no browsers name other origins, or none. */
function isOurPage(origin: string, allowed: readonly string[]): boolean {
  const isOfWeb = origin === "null" || /^https?:/i.test(origin);
  return !isOfWeb || (URL.canParse(origin) && isOurs(new URL(origin).hostname.toLowerCase(), allowed));
}

/** An address given as a number cannot be rebound to another name, so any of this machine's may be used. */
function isOurs(host: string, allowed: readonly string[]): boolean {
  return LOOPBACK.has(host) || isIP(host.replace(/^\[|\]$/g, "")) !== 0 || allowed.includes(host);
}
