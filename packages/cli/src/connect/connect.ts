import { existsSync, lstatSync, realpathSync } from "node:fs";
import { LonghaulError } from "@longhaul/conversation";
import { styleOf } from "../terminal/style.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { CLIENTS, type Client } from "./clients.ts";
import { describeClient } from "./describe-client.ts";
import { diff } from "./diff.ts";
import { type ClientFlags, fillingOf } from "./filling-of.ts";
import { type FileChange, makeChange, planUndo, planWrite } from "./settings-file.ts";

/** The flags of `longhaul connect`. */
export interface ConnectFlags extends ClientFlags {
  /** Writes the client's settings. */
  readonly write?: true;
  /** Reverts what was written. */
  readonly undo?: true;
  /** Writes without confirmation. */
  readonly yes?: true;
}

/** Prints how to point a client at the gateway, does it, or reverts it. Without a client, lists them. */
export async function connect(client: Client | undefined, flags: ConnectFlags, terminal: Terminal): Promise<void> {
  if (client === undefined) {
    terminal.write(listClients(flags));
    return;
  }
  const filling = fillingOf(flags, terminal);
  if (flags.write === undefined && flags.undo === undefined) {
    terminal.write(describeClient(client, filling, terminal));
    return;
  }
  const files = filesOf(client);
  const plan =
    flags.undo === true
      ? files.map((file) => planUndo(file, terminal))
      : files.map((file) => planWrite(file, filling, terminal));
  const changes = plan.filter(isChange);
  if (changes.length === 0) {
    for (const each of plan) terminal.write(settle(each, flags));
    terminal.write(`Nothing to do for ${plan.map(({ path }) => path).join(" and ")}.\n`);
    return;
  }
  for (const change of changes) terminal.write(spellChange(change, terminal));
  if (!(await isWanted(flags, terminal))) {
    terminal.write("Nothing was written.\n");
    return;
  }
  for (const each of plan) terminal.write(isChange(each) ? carryOut(each, flags) : settle(each, flags));
}

function isChange({ before, after, mode }: FileChange): boolean {
  return before !== after || mode !== undefined;
}

/** Drops the undo record if there is nothing left to undo. */
function settle(change: FileChange, { undo }: ConnectFlags): string {
  if (undo === true) makeChange(change);
  return spellNotes(change);
}

function listClients({ write, undo }: ConnectFlags): string {
  if (write === true || undo === true) {
    const command = `longhaul connect <client> ${write === true ? "--write" : "--undo"}`;
    throw new LonghaulError("settings.invalid", `name the client: ${command}; \`longhaul connect\` lists them`);
  }
  const width = Math.max(...CLIENTS.map(({ id }) => id.length));
  const lines = CLIENTS.map(({ id, name, program, files }) => {
    const can = [
      "connect",
      ...(files === undefined ? [] : ["connect --write"]),
      ...(program === undefined ? [] : ["run"]),
    ];
    return `${id.padEnd(width)}  ${name} (${can.join(", ")})\n`;
  });
  return lines.join("");
}

function filesOf({ id, name, files }: Client): NonNullable<Client["files"]> {
  if (files !== undefined) return files;
  throw new LonghaulError(
    "settings.invalid",
    `${name} has no settings file to write; \`longhaul connect ${id}\` shows how to set it up by hand`,
  );
}

function spellChange({ path, before = "", after = "" }: FileChange, terminal: Terminal): string {
  const style = styleOf(terminal);
  const target = existsSync(path) && lstatSync(path).isSymbolicLink() ? ` (a link to ${realpathSync(path)})` : "";
  return `${style.bold(path)}${target}\n${diff(before, after, style)}\n`;
}

function spellNotes({ notes }: FileChange): string {
  return notes.map((note) => `${note}\n`).join("");
}

async function isWanted({ yes }: ConnectFlags, terminal: Terminal): Promise<boolean> {
  if (yes === true) return true;
  const answer = await terminal.confirm("Write this?");
  if (answer !== undefined) return answer;
  throw new LonghaulError(
    "settings.invalid",
    "standard input is not a terminal; add --yes to write without confirmation",
  );
}

function carryOut(change: FileChange, { undo }: ConnectFlags): string {
  makeChange(change);
  const notes = spellNotes(change);
  if (undo !== true) return `Wrote ${change.path}; --undo reverts it.\n${notes}`;
  return `${change.after === undefined ? "Removed" : "Restored"} ${change.path}.\n${notes}`;
}
