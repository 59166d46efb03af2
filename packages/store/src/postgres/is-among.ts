import { type RawBuilder, type SqlBool, sql } from "kysely";

/**
 * Whether a column has one of some texts: one parameter, however many they are. Of all ways to say so, this alone is looked up in an index
 * before the table was analyzed.
 */
export function isAmong(column: string, texts: readonly string[]): RawBuilder<SqlBool> {
  return sql<SqlBool>`${sql.ref(column)} = any(${texts}::text[])`;
}
