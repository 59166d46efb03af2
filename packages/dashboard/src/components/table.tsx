import type { ComponentChildren } from "preact";

/** One column of a table. */
export interface Column<T> {
  /** Empty for one that holds buttons. */
  readonly name: string;
  readonly isNumeric?: boolean;
  readonly render: (row: T) => ComponentChildren;
}

interface TableProps<T> {
  readonly label: string;
  readonly columns: readonly Column<T>[];
  readonly rows: readonly T[];
  readonly keyOf: (row: T) => string;
  /** What its columns are sized by. @default what stands in them */
  readonly look?: "settings";
}

/** Rows of figures and words; narrow screens scroll it sideways. */
export function Table<T>({ label, columns, rows, keyOf, look }: TableProps<T>) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: whoever has only a keyboard scrolls it
    // biome-ignore lint/a11y/useSemanticElements: it is no set of fields
    <div class={`table-scroll ${look ?? ""}`} role="group" aria-label={label} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {columns.map(({ name, isNumeric: isFigure }) =>
              name === "" ? (
                <td key={name} />
              ) : (
                <th key={name} scope="col" class={isFigure === true ? "figure" : ""}>
                  {name}
                </th>
              ),
            )}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map(({ name, isNumeric: isFigure, render: show }) => (
                <td key={name} class={isFigure === true ? "figure" : ""}>
                  {show(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** A name in a table; where it is too long for it, the pointer reads the whole. */
export function TruncatedName({ name }: { readonly name: string }) {
  return (
    <span class="name" title={name}>
      {name}
    </span>
  );
}
