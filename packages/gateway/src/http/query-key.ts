import type { WireId } from "@longhaul/conversation";
import { codecOf } from "@longhaul/wire";

/** What a client says outside of the body. */
export interface Said {
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  /** With its question mark, or empty. */
  readonly query: string;
}

/**
 * Takes the key out of the query, where it would travel on and be logged. Google's clients may send it there: for them it becomes a header.
 * From any other client it does not count, so that a plain link never signs a request in.
 */
export function takeKey(headers: Said["headers"], query: string, wire: WireId): Said {
  if (query === "") return { headers, query };
  const fields = new URLSearchParams(query);
  if (!fields.has("key")) return { headers, query };
  const key = fields.get("key") ?? "";
  fields.delete("key");
  const rest = fields.size === 0 ? "" : `?${fields}`;
  const { queryKeyHeader } = codecOf(wire).api;
  return { headers: queryKeyHeader === undefined ? headers : { [queryKeyHeader]: key, ...headers }, query: rest };
}
