import { LonghaulError } from "@longhaul/conversation/error";
import { CommanderError } from "commander";
import type { Terminal } from "./terminal.ts";

/** Ends the program with the exit code of a client that it ran. */
export class ExitWith extends Error {
  readonly exitCode: number;

  constructor(exitCode: number) {
    super(`exit code ${exitCode}`);
    this.exitCode = exitCode;
  }
}

/** Returns 0 for printed help, 1 for a failure (a `LonghaulError` is printed in one line), 2 for a wrong call; rethrows other errors. */
export function exitCodeOf(error: unknown, terminal: Pick<Terminal, "writeError">): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  if (error instanceof ExitWith) return error.exitCode;
  if (!(error instanceof LonghaulError)) throw error;
  // The message alone says which argument or setting to change; `docs/errors.md` adds nothing to it.
  const code = error.code === "settings.invalid" ? "" : ` (${error.code})`;
  terminal.writeError(`longhaul: ${error.message}${code}\n`);
  return 1;
}
