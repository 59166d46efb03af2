import { LonghaulError } from "@longhaul/conversation";
import { CommanderError } from "commander";
import type { Terminal } from "./terminal.ts";

/** Ends the program with an exit code that is not its own, as that of a client that it ran. */
export class ExitWith extends Error {
  readonly exitCode: number;

  constructor(exitCode: number) {
    super(`exit code ${exitCode}`);
    this.exitCode = exitCode;
  }
}

/**
 * The exit code of a command that threw: 0 where it only printed its help, 1 where it failed, 2 where it was called wrongly. A user's
 * mistake is told in one line; what is none of theirs is thrown on.
 */
export function exitCodeOf(error: unknown, terminal: Pick<Terminal, "writeError">): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  if (error instanceof ExitWith) return error.exitCode;
  if (!(error instanceof LonghaulError)) throw error;
  terminal.writeError(`longhaul: ${error.message} (${error.code})\n`);
  return 1;
}
