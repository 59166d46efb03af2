import { LonghaulError } from "@longhaul/conversation";
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

/**
 * Returns the exit code for an error: 0 if the command printed its help, 1 if it failed, 2 if it was called wrongly. Prints a
 * `LonghaulError` in one line; rethrows any other error.
 */
export function exitCodeOf(error: unknown, terminal: Pick<Terminal, "writeError">): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  if (error instanceof ExitWith) return error.exitCode;
  if (!(error instanceof LonghaulError)) throw error;
  terminal.writeError(`longhaul: ${error.message} (${error.code})\n`);
  return 1;
}
