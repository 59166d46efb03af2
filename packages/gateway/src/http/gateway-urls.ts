import { findEndpoint } from "./endpoints.ts";

/**
 * A field that a client follows, and its address; addresses hold no characters that JSON escapes, but some writers escape the slash. Lists
 * page by id or token, so they have no URL to rewrite.
 */
const FOLLOWED = /("results_url"\s*:\s*)("https?:(?:\\?\/){2}[^"\s]+")/g;

/** Headers of the request that is answered, by lower-case name. */
type Headers = Readonly<Record<string, string>>;

/**
 * Points the addresses in a vendor's answer at the gateway if it serves their path: a client follows them with the key that it sent here,
 * which the vendor must not see. Every other byte stays: citation and image URLs point to other sites.
 */
export function withGatewayUrls(json: string, headers: Headers): string {
  const base = baseOf(headers);
  if (base === undefined) return json;
  return json.replace(FOLLOWED, (field: string, name: string, quoted: string) => {
    const path = servedPath(quoted, headers);
    return path === undefined ? field : `${name}${JSON.stringify(`${base}${path}`)}`;
  });
}

/** Returns the address by which the client reached the gateway; a proxy before it says whether that was encrypted. */
function baseOf({ host, "x-forwarded-proto": forwarded }: Headers): string | undefined {
  if (host === undefined) return undefined;
  return `${forwarded?.split(",")[0]?.trim() === "https" ? "https" : "http"}://${host}`;
}

/** Returns the path and query of an address that the gateway passes on when a client reads it. */
function servedPath(quoted: string, headers: Headers): string | undefined {
  const address = quoted.slice(1, -1).replaceAll("\\/", "/");
  if (!URL.canParse(address)) return undefined;
  const { pathname, search } = new URL(address);
  const version = pathname.lastIndexOf("/v1/");
  const path = version === -1 ? pathname : pathname.slice(version);
  try {
    return findEndpoint("GET", decodeURIComponent(path), headers)?.action === "pass" ? `${path}${search}` : undefined;
  } catch {
    return undefined;
  }
}
