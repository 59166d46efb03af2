import { styleOf } from "./style.ts";
import type { Terminal } from "./terminal.ts";

/** Prints the one object that `--json` asks for. */
export function printJson(object: object, { write }: Pick<Terminal, "write">): void {
  write(`${JSON.stringify(object, null, 2)}\n`);
}

/** Prints warnings beside what was asked for, so that whoever reads that with a program is not disturbed. */
export function printWarnings(
  warnings: readonly string[],
  terminal: Pick<Terminal, "hasColours" | "writeError">,
): void {
  const { bad } = styleOf(terminal);
  for (const warning of warnings) terminal.writeError(`${bad("warning:")} ${warning}\n`);
}
