import type { Command } from "commander";
import { COMPLETION_SCRIPTS, type Completed, type Shell } from "./completion-scripts.ts";
import type { Terminal } from "./terminal.ts";

/** Prints a script that makes a shell complete `longhaul`, made from the commands themselves. */
export function completion(shell: Shell, program: Command, terminal: Terminal): void {
  terminal.write(COMPLETION_SCRIPTS[shell](completedBelow(program, "")));
}

function completedBelow(command: Command, path: string): Completed[] {
  const choices = command.registeredArguments.flatMap(({ argChoices = [] }) => argChoices);
  const flags = command.options.flatMap(({ long, required, optional, argChoices = [] }) =>
    long == null ? [] : [{ long, ...((required || optional) && { values: argChoices }) }],
  );
  return [
    {
      path,
      words: [...command.commands.map((each) => each.name()), ...choices],
      flags: [...flags, { long: "--help" }],
    },
    ...command.commands.flatMap((each) => completedBelow(each, `${path} ${each.name()}`.trim())),
  ];
}
