import type { CompiledQuery } from "kysely";
import type { Insertion, InsertRows } from "../sql/engine.ts";
import type { Tables } from "../sql/tables.ts";
import { inChunks } from "./in-chunks.ts";

/** Inserts by statements that are spelled once for each insertion and number of rows. To read rows out of JSON takes SQLite five times as long. */
export function makeInsertRows(): InsertRows {
  const statements = new Map<object, Map<number, Statement>>();
  return async (transaction, insertion, rows) => {
    const ofSizes = statements.get(insertion) ?? new Map<number, Statement>();
    statements.set(insertion, ofSizes);
    const spell = (chunk: typeof rows) => insertion.finish(transaction.insertInto(insertion.table).values(chunk));
    const returned = [];
    for (const chunk of inChunks(rows)) {
      const statement = ofSizes.get(chunk.length) ?? statementOf(spell(chunk).compile(), chunk);
      ofSizes.set(chunk.length, statement);
      const query: CompiledQuery<ReturnedBy<typeof insertion>> = withRows(statement, chunk);
      returned.push(...(await transaction.executeQuery(query)).rows);
    }
    return returned;
  };
}

type ReturnedBy<I> = I extends Insertion<keyof Tables, infer Returned> ? Returned : never;

interface Statement {
  readonly compiled: CompiledQuery;
  readonly columns: readonly string[];
  /** Parameters after those of the rows. */
  readonly rest: readonly unknown[];
}

/** Columns stand in a statement as they do in its first row. */
function statementOf(compiled: CompiledQuery, rows: readonly object[]): Statement {
  const columns = Object.keys(rows[0] ?? {});
  return { compiled, columns, rest: compiled.parameters.slice(columns.length * rows.length) };
}

function withRows({ compiled, columns, rest }: Statement, rows: readonly object[]): CompiledQuery {
  const parameters = rows.flatMap((row) => columns.map((column): unknown => Reflect.get(row, column)));
  return { ...compiled, parameters: [...parameters, ...rest] };
}
