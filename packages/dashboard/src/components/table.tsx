import type { ComponentChildren } from "preact";
import type { Term } from "../strings/common.ts";
import { TermName } from "./page.tsx";

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
}

export function Table<T>({ label, columns, rows, keyOf, look }: TableProps<T>) {
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
              {columns.map(({ name, isNumeric, render }) => (
                <td key={name} class={isNumeric === true ? "figure" : ""}>
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

export function TruncatedName({ name }: { readonly name: string }) {
  return (
    <span class="name" title={name}>
      {name}
    </span>
  );
}
