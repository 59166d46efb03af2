import { isLoopback } from "@longhaul/settings";
import { storeLocation } from "@longhaul/store";
import { layeredSettings, readStore } from "../config/config-source.ts";
import { isAnswering } from "../gateway/address.ts";
import { findRunning } from "../gateway/running.ts";
import { invalid } from "../terminal/invalid.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { CLIENTS, type Client } from "./clients.ts";
import { describeChange, isChange } from "./describe-change.ts";
import { describeClient } from "./describe-client.ts";
import { type ClientFlags, type Placeholders, placeholdersOf } from "./fill.ts";
import { type FileChange, planUndo, planWrite, writeChange } from "./settings-file.ts";
import { sendsGatewayKey, simulatorWarning } from "./simulator-warning.ts";

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
  const placeholders = flags.undo === true ? placeholdersOf(flags, terminal) : await warn(client, flags, terminal);
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

/** Warns if no model would answer the client, and returns its placeholders. */
async function warn(client: Client, flags: ConnectFlags, terminal: Terminal): Promise<Placeholders> {
  const placeholders = placeholdersOf(flags, terminal);
  const missingKey = await keyWarning(client, placeholders, terminal);
  terminal.writeError(`${await simulatorWarning(client, flags, terminal)}${missingKey}`);
  return missingKey === "" || flags.write === true ? placeholders : { ...placeholders, anyKey: "<key>" };
}

/** Returns a warning if the gateway requires keys and the client would send none. A gateway on another machine does. */
async function keyWarning(client: Client, { url, key }: Placeholders, terminal: Terminal): Promise<string> {
  if (key !== undefined || !sendsGatewayKey(client)) return "";
  if (isLoopback(new URL(url).hostname) && !(await requiresKeys(terminal))) return "";
  return `Warning: the gateway requires API keys. Create one with \`longhaul keys create ${client.id}\`, and pass it with --key.\n`;
}

/** Returns whether the gateway of this configuration requires keys. */
async function requiresKeys(terminal: Terminal): Promise<boolean> {
  const { config } = await layeredSettings({}, terminal);
  if (config.server.keys !== "auto") return config.server.keys === "required";
  const stored = await readStore(storeLocation(config), ({ keys }) => keys.list());
  return "read" in stored && stored.read.some(({ revokedAtMs }) => revokedAtMs === undefined);
}

/** A client that points at a gateway that does not run gets no answers at all. */
async function warnIfDead({ id, name }: Client, url: string, terminal: Terminal): Promise<void> {
  if (await isAnswering(url)) return;
  const { config } = await layeredSettings({}, terminal);
  const running = await findRunning(storeLocation(config));
  const start = running === undefined ? "Start it with `longhaul start`" : `One is running at ${running.url} (--url)`;
  terminal.writeError(
    `Warning: no gateway is running at ${url}, so ${name} gets no answers. ${start}, or go back with \`longhaul connect ${id} --undo\`.\n`,
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
