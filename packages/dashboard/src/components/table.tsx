import type { ComponentChildren } from "preact";
import type { QueryResult } from "../gateway/gateway.tsx";
import { common, type Term } from "../strings/common.ts";
import { Button } from "./button.tsx";
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
}

/** On a phone, each row is a block that repeats the column names and their explanations, so that no column is outside the screen. */
export function Table<T>({ label, columns, rows, keyOf, look, empty }: TableProps<T>) {
  if (rows.length === 0 && empty !== undefined) return <>{empty}</>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users scroll it
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for form fields
    <div class={`table-scroll ${look ?? ""}`} role="group" aria-label={label} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {columns.map(({ name, help, isNumeric }) =>
              name === "" ? (
                <td key={name} />
              ) : (
                <th key={name} scope="col" class={isNumeric === true ? "figure" : ""}>
                  <TermName name={name} help={help} />
                </th>
              ),
            )}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map(({ name, help, isNumeric, render }) => (
                <td key={name} class={isNumeric === true ? "figure" : ""} data-label={name}>
                  {help === undefined ? null : (
                    <span class="cell-name">
                      <TermName name={name} help={help} />
                    </span>
                  )}
                  {render(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
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
