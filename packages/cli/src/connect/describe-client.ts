import { styleOf } from "../terminal/output.ts";
import type { Terminal } from "../terminal/terminal.ts";
import type { Client } from "./clients.ts";
import { type Filling, fillText, fillVariables } from "./fill.ts";
import { settingsPath, withSettings } from "./settings-file.ts";

/** What points a client at the gateway: files, variables and what is done by hand, ready to be copied. */
export function describeClient(client: Client, filling: Filling, terminal: Terminal): string {
  const { bold, dim } = styleOf(terminal);
  const { id, name, files = [], steps = [], notes = [], environment, program } = client;
  const hasFiles = files.length > 0;
  const sections = [
    bold(`${name}, through ${filling.url}`),
    ...files.map((file) => `${settingsPath(file, terminal)}:\n${linesFor(file, filling)}`),
    ...(hasFiles ? [`longhaul connect ${id} --write writes this, and --undo reverts it.`] : []),
    ...(environment === undefined
      ? []
      : [`${hasFiles ? "Or for one shell:" : "In the shell:"}\n${shellLines(client, environment, filling)}`]),
    ...(steps.length === 0 ? [] : [filled(steps, filling).join("\n")]),
    ...(program === undefined ? [] : [`Without writing anything: longhaul run ${id}`]),
    ...filled(notes, filling).map(dim),
  ];
  return `${sections.join("\n\n")}\n`;
}

/** The shortest way to point a client at the gateway. */
export interface ClientLines {
  readonly name: string;
  /** Where the lines go. */
  readonly where: string;
  readonly lines: string;
}

/** The shortest way for a client: variables in a shell, else a file, else what is done by hand, else the variables that `run` sets. */
export function shortLines(client: Client, filling: Filling): ClientLines {
  const { name, environment, files: [file] = [], steps, runEnvironment = {} } = client;
  if (environment !== undefined) return { name, where: "in a shell", lines: shellLines(client, environment, filling) };
  if (file !== undefined) return { name, where: `${file.folder}/${file.names[0]}`, lines: linesFor(file, filling) };
  if (steps !== undefined) return { name, where: "by hand", lines: filled(steps, filling).join("\n") };
  return { name, where: "in a shell", lines: shellLines(client, runEnvironment, filling) };
}

function shellLines({ program, args = [] }: Client, environment: Variables, filling: Filling): string {
  const start = program === undefined ? [] : [[program, ...filled(args, filling)].join(" ")];
  return [exportsOf(environment, filling), ...start].join("\n");
}

type Variables = Readonly<Record<string, string>>;

/** What would stand in a file that holds nothing else. */
function linesFor(file: NonNullable<Client["files"]>[number], filling: Filling): string {
  return withSettings(undefined, file, filling).trimEnd();
}

function exportsOf(environment: Variables, filling: Filling): string {
  return Object.entries(fillVariables(environment, filling))
    .map(([name, value]) => `export ${name}=${/^[\w./:{}-]*$/.test(value) ? value : `'${value}'`}`)
    .join("\n");
}

function filled(texts: readonly string[], filling: Filling): string[] {
  return texts.flatMap((text) => fillText(text, filling) ?? []);
}
