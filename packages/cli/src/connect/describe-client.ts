import { commandName } from "../terminal/command-name.ts";
import { styleOf, wrapText } from "../terminal/output.ts";
import type { Terminal } from "../terminal/terminal.ts";
import type { Client } from "./clients.ts";
import { fillText, fillVariables, type Placeholders } from "./fill.ts";
import { settingsPath, withSettings } from "./settings-file.ts";

/** Describes how to point a client at the gateway: files, variables and manual steps, ready to be copied. */
export function describeClient(client: Client, placeholders: Placeholders, terminal: Terminal): string {
  const { bold, dim } = styleOf(terminal);
  const { id, name, files = [], steps = [], notes = [], environment, program } = client;
  const hasFiles = files.length > 0;
  // Named before it is broken: in a clone, the command is longer.
  const named = (text: string) => text.replaceAll("`longhaul ", `\`${commandName(terminal)} `);
  const prose = (text: string) => wrapText(named(text), terminal.columns);
  // A step that is a command or code is copied, so it stays on one line.
  const readable = (text: string) => (/^[A-Z]/.test(text) ? prose(text) : text);
  const sections = [
    bold(prose(`Settings for ${name}, with the gateway at ${placeholders.url}`)),
    ...files.map((file) => `${settingsPath(file, terminal)}:\n${linesFor(file, placeholders)}`),
    ...(hasFiles ? [prose(`Write this with \`longhaul connect ${id} --write\`; revert it with \`--undo\`.`)] : []),
    ...(environment === undefined
      ? []
      : [`${hasFiles ? "Or for one shell:" : "In the shell:"}\n${shellLines(client, environment, placeholders)}`]),
    ...(steps.length === 0 ? [] : [filled(steps, placeholders).map(readable).join("\n")]),
    ...(program === undefined ? [] : [prose(`Or start it without changing any settings: \`longhaul run ${id}\``)]),
    ...filled(notes, placeholders).map((note) => dim(prose(note))),
  ];
  return `${sections.join("\n\n")}\n`;
}

/**
 * Returns the first that a client has of: shell variables, a settings file, manual steps, the variables that `run` sets. `where` is the place
 * for the lines: a shell, a file, or "manual".
 */
export function shortLines(client: Client, placeholders: Placeholders) {
  const { name, environment, files: [file] = [], steps, runEnvironment = {} } = client;
  if (environment !== undefined)
    return { name, where: "in a shell", lines: shellLines(client, environment, placeholders) };
  if (file !== undefined)
    return { name, where: `${file.folder}/${file.names[0]}`, lines: linesFor(file, placeholders) };
  if (steps !== undefined) return { name, where: "manual", lines: filled(steps, placeholders).join("\n") };
  return { name, where: "in a shell", lines: shellLines(client, runEnvironment, placeholders) };
}

function shellLines({ program, args = [] }: Client, environment: Variables, placeholders: Placeholders): string {
  const start = program === undefined ? [] : [[program, ...filled(args, placeholders)].join(" ")];
  return [exportsOf(environment, placeholders), ...start].join("\n");
}

type Variables = Readonly<Record<string, string>>;

function linesFor(file: NonNullable<Client["files"]>[number], placeholders: Placeholders): string {
  return withSettings(undefined, file, placeholders).trimEnd();
}

function exportsOf(environment: Variables, placeholders: Placeholders): string {
  return Object.entries(fillVariables(environment, placeholders))
    .map(([name, value]) => `export ${name}=${/^[\w./:{}-]*$/.test(value) ? value : `'${value}'`}`)
    .join("\n");
}

function filled(texts: readonly string[], placeholders: Placeholders): string[] {
  return texts.flatMap((text) => fillText(text, placeholders) ?? []);
}
