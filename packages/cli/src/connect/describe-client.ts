import { styleOf } from "../style.ts";
import type { Terminal } from "../terminal.ts";
import type { Client } from "./clients.ts";
import { type Filling, fillText, fillVariables } from "./fill.ts";
import { planWrite, settingsPath } from "./settings-file.ts";

/** What points a client at the gateway: files, variables and what is done by hand, ready to be copied. */
export function describeClient(client: Client, filling: Filling, terminal: Terminal): string {
  const { bold, dim } = styleOf(terminal);
  const { id, name, files = [], steps = [], notes = [], environment, program } = client;
  const hasFiles = files.length > 0;
  const sections = [
    bold(`${name}, through ${filling.url}`),
    ...files.map((file) => `${settingsPath(file, terminal)}:\n${linesFor(file, filling)}`),
    ...(hasFiles ? [`longhaul connect ${id} --write puts that there, and --undo takes it back.`] : []),
    ...(environment === undefined
      ? []
      : [`${hasFiles ? "Or for one shell:" : "In the shell:"}\n${exportsOf(fillVariables(environment, filling))}`]),
    ...(steps.length === 0 ? [] : [filled(steps, filling).join("\n")]),
    ...(program === undefined ? [] : [`Once, with nothing written: longhaul run ${id}`]),
    ...filled(notes, filling).map(dim),
  ];
  return `${sections.join("\n\n")}\n`;
}

/** What would stand in a file that holds nothing else. */
function linesFor(file: NonNullable<Client["files"]>[number], filling: Filling): string {
  const nowhere = { ...file, folder: "", names: [" "] };
  return (planWrite(nowhere, filling, { environment: {} }).after ?? "").trimEnd();
}

function exportsOf(variables: Readonly<Record<string, string>>): string {
  return Object.entries(variables)
    .map(([name, value]) => `export ${name}=${/^[\w./:-]*$/.test(value) ? value : `'${value}'`}`)
    .join("\n");
}

function filled(texts: readonly string[], filling: Filling): string[] {
  return texts.flatMap((text) => fillText(text, filling) ?? []);
}
