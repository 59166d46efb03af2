import { programCommand } from "./program-files.ts";
import { changedTerminal, type Terminal } from "./terminal.ts";

const NAME = "longhaul";

/** Returns the command that calls this program again as it was called: npm runs it from a clone, where a shell does not find it. */
export function commandName({ environment }: Pick<Terminal, "environment">): string {
  return environment.npm_command ? `npx ${NAME}` : NAME;
}

/**
 * Returns a terminal whose messages name the program as it was called; the texts in the code quote commands as `longhaul …`. Output that
 * other programs read is left alone.
 */
export function withCommandName(terminal: Terminal, isForPrograms: boolean): Terminal {
  const name = commandName(terminal);
  if (name === NAME) return terminal;
  // Help may break a line inside the command.
  const named = (text: string) =>
    text
      .replaceAll(/(?<=`|^ {2}|^Usage: )longhaul(?=\s)/gm, name)
      // Claude Code runs it in other folders.
      .replaceAll(`"${NAME} statusline"`, `"${programCommand().at(-1)} statusline"`);
  return changedTerminal(terminal, {
    write: (text) => terminal.write(isForPrograms ? text : named(text)),
    writeError: (text) => terminal.writeError(named(text)),
  });
}
