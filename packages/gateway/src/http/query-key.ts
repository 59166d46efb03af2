/** What a client says outside of the body. */
export interface Said {
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  /** With its question mark, or empty. */
  readonly query: string;
}

/** Google's clients may give their key in the query, where it would travel on and be logged: from here on it is a header. */
export function takeKey(headers: Said["headers"], query: string): Said {
  if (query === "") return { headers, query };
  const fields = new URLSearchParams(query);
  if (!fields.has("key")) return { headers, query };
  const key = fields.get("key") ?? "";
  fields.delete("key");
  const rest = fields.size === 0 ? "" : `?${fields}`;
  return { headers: { "x-goog-api-key": key, ...headers }, query: rest };
}
