import { programCommand } from "./program-files.ts";
import { changedTerminal, type Terminal } from "./terminal.ts";

const NAME = "longhaul";

/** Returns the command that calls this program again as it was called: a shell does not find that of a clone by its name. */
export function commandName({ environment, programPath }: Pick<Terminal, "environment" | "programPath">): string {
  return environment.npm_command ? `npx ${NAME}` : (programPath ?? NAME);
}

/**
 * Returns a terminal whose messages name the program as it was called; the texts in the code quote commands as `longhaul …`. Output that
 * other programs read is left alone.
 */
export function withCommandName(
  terminal: Terminal,
  { isForPrograms, isHelp }: { readonly isForPrograms: boolean; readonly isHelp: boolean },
): Terminal {
  const called = commandName(terminal);
  if (called === NAME) return terminal;
  // A path would be longer than the columns of the help.
  const name = isHelp && called === terminal.programPath ? NAME : called;
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
