/** A location in the dashboard: the part of the address after `#/`. */
export interface Route {
  /** For example `sessions`; empty for the overview. */
  readonly page: string;
  /** The item that the page shows, or empty. */
  readonly id: string;
  readonly query: Readonly<Record<string, string>>;
}

/** Parses a fragment such as `#/sessions/abc?tab=cost`. */
export function parseRoute(fragment: string): Route {
  if (fragment.startsWith("#token=")) return parseRoute("");
  const [path = "", search = ""] = fragment.replace(/^#?\/?/, "").split(/\?(.*)/s);
  const [page = "", ...rest] = path.split("/");
  return { page, id: decode(rest.join("/")), query: Object.fromEntries(new URLSearchParams(search)) };
}

export function hrefTo(page: string, id = "", query: Readonly<Record<string, string>> = {}): string {
  const search = new URLSearchParams(query).toString();
  return `#/${page}${id === "" ? "" : `/${encodeURIComponent(id)}`}${search === "" ? "" : `?${search}`}`;
}

export function hrefToSession({ tenant, session }: { readonly tenant: string; readonly session: string }): string {
  return hrefTo("sessions", session, tenant === "" ? {} : { tenant });
}

/** Returns the path of a session in the admin API. */
export function sessionPath({ tenant, session }: { readonly tenant: string; readonly session: string }): string {
  return `/session?session=${encodeURIComponent(session)}&tenant=${encodeURIComponent(tenant)}`;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
