import type { ComponentChildren } from "preact";
import type { QueryResult } from "../gateway/gateway.tsx";
import { common, type Term } from "../strings/common.ts";
import { Button } from "./button.tsx";
import { saveFile } from "./controls.tsx";
import { Card, TermName } from "./page.tsx";
import { Loaded } from "./status.tsx";

/** One column of a table. Its name is empty if it contains buttons. */
export interface Column<T> extends Term {
  readonly isNumeric?: boolean;
  readonly render: (row: T) => ComponentChildren;
}

interface TableProps<T> {
  readonly label: string;
  readonly columns: readonly Column<T>[];
  readonly rows: readonly T[];
  readonly keyOf: (row: T) => string;
  /** Fixed column widths. By default, columns are as wide as their content. */
  readonly look?: "settings";
  /** Shown instead of a table without rows. */
  readonly empty?: ComponentChildren;
  /** Rows with the same group follow each other under one heading. */
  readonly groupOf?: ((row: T) => string) | undefined;
  /** Loads all rows for a file. @default the rows of the table */
  readonly loadAll?: (() => Promise<readonly T[]>) | undefined;
}

/** On a phone, each row is a block that repeats the column names and their explanations, so that no column is outside the screen. */
export function Table<T>(props: TableProps<T>) {
  const { label, columns, rows, keyOf, look, empty, groupOf } = props;
  if (rows.length === 0 && empty !== undefined) return <>{empty}</>;
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for form fields */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users scroll it */}
      <div class={`table-scroll ${look ?? ""}`} role="group" aria-label={label} tabIndex={0}>
        <table>
          <thead>
            <tr>
              {columns.map((column) => (
                <HeadCell key={column.name} {...column} />
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.flatMap((row, index) => {
              const group = groupOf?.(row);
              const before = rows[index - 1];
              const isNew = group !== undefined && (before === undefined || groupOf?.(before) !== group);
              const heading = (
                <tr key={`group ${group}`} class="group">
                  <th scope="rowgroup" colSpan={columns.length}>
                    {group}
                  </th>
                </tr>
              );
              const cells = (
                <tr key={keyOf(row)}>
                  {columns.map((column) => (
                    <Cell key={column.name} column={column} row={row} />
                  ))}
                </tr>
              );
              return isNew ? [heading, cells] : [cells];
            })}
          </tbody>
        </table>
      </div>
      <Export {...props} />
    </>
  );
}

function HeadCell({ name, help, isNumeric }: Pick<Column<unknown>, "name" | "help" | "isNumeric">) {
  if (name === "") return <td />;
  return (
    <th scope="col" class={isNumeric === true ? "figure" : ""}>
      <TermName name={name} help={help} />
    </th>
  );
}

function Cell<T>({ column, row }: { readonly column: Column<T>; readonly row: T }) {
  const { name, help, isNumeric, render } = column;
  return (
    <td class={isNumeric === true ? "figure" : ""} data-label={name}>
      {help === undefined ? null : (
        <span class="cell-name">
          <TermName name={name} help={help} />
        </span>
      )}
      {render(row)}
    </td>
  );
}

/** Saves the rows of a table as a file, with all their fields. */
function Export<T>({ label, rows, loadAll }: TableProps<T>) {
  const save = async (ending: "csv" | "json") => {
    const all = (await (loadAll?.() ?? rows)).flatMap((row) => (isObject(row) ? [row] : []));
    const text = ending === "csv" ? toCsv(all) : JSON.stringify(all, null, 2);
    saveFile(toFileName(label, ending), text, ending === "csv" ? "text/csv" : "application/json");
  };
  const { name, csv, json } = common.export;
  return (
    <fieldset class="export" aria-label={name(label)}>
      <Button label={csv} class="quiet" onClick={() => void save("csv")} />
      <Button label={json} class="quiet" onClick={() => void save("json")} />
    </fieldset>
  );
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

interface ListCardProps<T> extends Omit<TableProps<T>, "rows"> {
  readonly query: QueryResult<readonly T[]>;
  /** Loads the next page; absent at the end of the list. */
  readonly showMore: (() => void) | undefined;
}

/** A table that is loaded page by page. */
export function ListCard<T>({ query, showMore, ...table }: ListCardProps<T>) {
  return (
    <Card>
      <Loaded query={query}>{(rows) => <Table {...table} rows={rows} />}</Loaded>
      {showMore === undefined ? null : (
        <div class="row">
          <Button label={common.showMore} onClick={showMore} />
        </div>
      )}
    </Card>
  );
}

export function TruncatedName({ name }: { readonly name: string }) {
  return (
    <span class="name" title={name}>
      {name}
    </span>
  );
}

type Row = object;

/** Writes rows as CSV, with a column for each field of any row. */
export function toCsv(rows: readonly Row[]): string {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const lines = rows.map((row) => {
    const values = new Map<string, unknown>(Object.entries(row));
    return names.map((name) => toCell(values.get(name))).join(",");
  });
  return [names.map(toCell).join(","), ...lines, ""].join("\r\n");
}

/** Spreadsheets run a text that begins with one of these as a formula. */
const FORMULA = /^[=+\-@\t\r]/;

function toCell(value: unknown): string {
  if (value === undefined || value === null) return "";
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  const text = typeof value === "string" ? value : JSON.stringify(value);
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Makes a file name from a table's label. */
export function toFileName(label: string, ending: string): string {
  return `longhaul-${label.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "-")}.${ending}`;
}
