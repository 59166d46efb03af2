import { type AliasedRawBuilder, sql } from "kysely";

/** Texts as rows of a table: one parameter, however many they are. */
export function listed(texts: readonly string[]): AliasedRawBuilder<{ readonly value: string }, "listed"> {
  return sql<{ readonly value: string }>`(select unnest(${texts}::text[]) as value)`.as("listed");
}
