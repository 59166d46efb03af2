import { type RawBuilder, type SqlBool, sql } from "kysely";

/** Whether a column has one of some texts: one parameter, however many they are. */
export function isAmong(column: string, texts: readonly string[]): RawBuilder<SqlBool> {
  return sql<SqlBool>`${sql.ref(column)} in (select value from json_each(${JSON.stringify(texts)}))`;
}
