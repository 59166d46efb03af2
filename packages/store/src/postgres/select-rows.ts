import { type RawBuilder, sql } from "kysely";
import type { RowShape } from "../sql/row-shape.ts";

const TYPES = { text: "text", number: "double precision" } as const;

/** Rows as a query, in the order of the shape's columns: one parameter, however many they are. */
export function selectRows<Row extends object>(rows: readonly Row[], shape: RowShape<Row>): RawBuilder<Row> {
  const columns = Object.entries<keyof typeof TYPES>(shape).map(([name, kind]) => ({ name: `"${name}"`, kind }));
  const names = sql.raw(columns.map(({ name }) => name).join(", "));
  const typed = sql.raw(columns.map(({ name, kind }) => `${name} ${TYPES[kind]}`).join(", "));
  return sql<Row>`select ${names} from json_to_recordset(${JSON.stringify(rows)}::json) as given(${typed})`;
}
