import { isAnswering } from "../gateway/address.ts";
import { invalid } from "../terminal/invalid.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { CLIENTS, type Client } from "./clients.ts";
import { describeChange, isChange } from "./describe-change.ts";
import { describeClient } from "./describe-client.ts";
import { type ClientFlags, placeholdersOf } from "./fill.ts";
import { type FileChange, planUndo, planWrite, writeChange } from "./settings-file.ts";
import { simulatorWarning } from "./simulator-warning.ts";

export interface ConnectFlags extends ClientFlags {
  readonly write?: true;
  readonly undo?: true;
  readonly yes?: true;
}

/** Prints, writes or reverts the settings that point a client at the gateway. Without a client, lists all. */
export async function connect(client: Client | undefined, flags: ConnectFlags, terminal: Terminal): Promise<void> {
  if (client === undefined) {
    terminal.write(listClients(flags));
    return;
  }
  const placeholders = placeholdersOf(flags, terminal);
  if (flags.undo === undefined) terminal.writeError(await simulatorWarning(client, flags, terminal));
  if (flags.write === undefined && flags.undo === undefined) {
    terminal.write(describeClient(client, placeholders, terminal));
    return;
  }
  const files = filesOf(client);
  const plan =
    flags.undo === true
      ? files.map((file) => planUndo(file, terminal))
      : files.map((file) => planWrite(file, placeholders, terminal));
  const changes = plan.filter(isChange);
  if (changes.length === 0) {
    for (const each of plan) terminal.write(settle(each, flags));
    terminal.write(`No changes to make in ${plan.map(({ path }) => path).join(" and ")}.\n`);
    return;
  }
  for (const change of changes) terminal.write(describeChange(change, terminal));
  if (!(await isConfirmed(flags, terminal))) {
    terminal.write("Nothing was written.\n");
    return;
  }
  for (const each of plan) terminal.write(isChange(each) ? applyChange(each, client.id, flags) : settle(each, flags));
  if (flags.write === true) await warnIfDead(client, placeholders.url, terminal);
}

/** A client that points at a gateway that does not run gets no answers at all. */
async function warnIfDead({ id, name }: Client, url: string, terminal: Terminal): Promise<void> {
  if (await isAnswering(url)) return;
  terminal.writeError(
    `Warning: no gateway is running at ${url}, so ${name} gets no answers. Start it with \`longhaul start\`, or go back with \`longhaul connect ${id} --undo\`.\n`,
  );
}

/** Drops the undo record if there is nothing left to undo. */
function settle(change: FileChange, { undo }: ConnectFlags): string {
  if (undo === true) writeChange(change);
  return describeNotes(change);
}

function listClients({ write, undo }: ConnectFlags): string {
  if (write === true || undo === true) {
    const command = `longhaul connect <client> ${write === true ? "--write" : "--undo"}`;
    throw invalid(`no client given; use \`${command}\`, and list the clients with \`longhaul connect\``);
  }
  const rows = CLIENTS.map(({ id, name, program, files }) => {
    const automatic = [...(files === undefined ? [] : ["connect --write"]), ...(program === undefined ? [] : ["run"])];
    return [id, name, automatic.join(", ") || "manual"] as const;
  });
  const widthOf = (column: 0 | 1) => Math.max(...rows.map((row) => row[column].length));
  const [idWidth, nameWidth] = [widthOf(0), widthOf(1)];
  const lines = [["Client", "Name", "Setup"] as const, ...rows].map(
    ([id, name, setup]) => `${id.padEnd(idWidth)}  ${name.padEnd(nameWidth)}  ${setup}\n`,
  );
  return `${lines.join("")}\nShow the settings of a client with \`longhaul connect <client>\`.\n`;
}

function filesOf({ id, name, files }: Client): NonNullable<Client["files"]> {
  if (files !== undefined) return files;
  throw invalid(`${name} has no settings file to write; \`longhaul connect ${id}\` shows how to set it up manually`);
}

function describeNotes({ notes }: FileChange): string {
  return notes.map((note) => `${note}\n`).join("");
}

async function isConfirmed({ yes }: ConnectFlags, terminal: Terminal): Promise<boolean> {
  if (yes === true) return true;
  const answer = await terminal.confirm("Write these changes?");
  if (answer !== undefined) return answer;
  throw invalid("standard input is not a terminal; use --yes to write without asking");
}

function applyChange(change: FileChange, id: string, { undo }: ConnectFlags): string {
  writeChange(change);
  const notes = describeNotes(change);
  if (undo !== true) return `Wrote ${change.path}. Revert it with \`longhaul connect ${id} --undo\`.\n${notes}`;
  return `${change.after === undefined ? "Removed" : "Restored"} ${change.path}.\n${notes}`;
}
