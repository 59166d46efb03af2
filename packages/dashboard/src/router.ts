/** Where one is in the dashboard: the part of the address after `#/`. */
export interface Place {
  /** Such as `sessions`; empty for the overview. */
  readonly page: string;
  /** What the page shows, where it shows one of many. */
  readonly id: string;
  readonly query: Readonly<Record<string, string>>;
}

/** Reads a fragment such as `#/sessions/abc?tab=cost`. */
export function readPlace(fragment: string): Place {
  if (tokenIn(fragment) !== undefined) return readPlace("");
  const [path = "", search = ""] = fragment.replace(/^#?\/?/, "").split(/\?(.*)/s);
  const [page = "", ...rest] = path.split("/");
  return { page, id: decode(rest.join("/")), query: Object.fromEntries(new URLSearchParams(search)) };
}

/** The fragment of a place. */
export function hrefTo(page: string, id = "", query: Readonly<Record<string, string>> = {}): string {
  const search = new URLSearchParams(query).toString();
  return `#/${page}${id === "" ? "" : `/${encodeURIComponent(id)}`}${search === "" ? "" : `?${search}`}`;
}

/** The fragment of a session's page. */
export function hrefToSession({ tenant, session }: { readonly tenant: string; readonly session: string }): string {
  return hrefTo("sessions", session, tenant === "" ? {} : { tenant });
}

/** The one-time token that `longhaul start` prints in the fragment of its address. */
export function tokenIn(fragment: string): string | undefined {
  return /^#token=([\w.~-]+)$/.exec(fragment)?.[1];
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
