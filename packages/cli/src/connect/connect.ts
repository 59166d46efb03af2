import { existsSync, lstatSync, realpathSync } from "node:fs";
import { invalid } from "../terminal/invalid.ts";
import { type Style, styleOf } from "../terminal/output.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { CLIENTS, type Client } from "./clients.ts";
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
  if (flags.undo === undefined) terminal.writeError(simulatorWarning(client, flags, terminal));
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
}

function isChange({ before, after, mode }: FileChange): boolean {
  return before !== after || mode !== undefined;
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

function describeChange({ path, before = "", after = "" }: FileChange, terminal: Terminal): string {
  const style = styleOf(terminal);
  const link = existsSync(path) && lstatSync(path).isSymbolicLink() ? ` (a link to ${realpathSync(path)})` : "";
  return `${style.bold(path)}${link}\n${diff(before, after, style)}\n`;
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

const CONTEXT_LINES = 2;

export function diff(before: string, after: string, style: Style): string {
  const rows = compare(linesOf(before), linesOf(after));
  const isNear = (index: number) =>
    rows.slice(Math.max(0, index - CONTEXT_LINES), index + CONTEXT_LINES + 1).some(({ mark }) => mark !== " ");
  return rows
    .map((row, index) => ({ ...row, isShown: isNear(index) }))
    .flatMap(({ mark, line, isShown }, index, all) => {
      if (isShown) return [paint(mark, line, style)];
      return index > 0 && all[index - 1]?.isShown ? [style.dim("  …")] : [];
    })
    .map((line) => `${line}\n`)
    .join("");
}

interface Row {
  readonly mark: " " | "+" | "-";
  readonly line: string;
}

function linesOf(text: string): string[] {
  return text === "" ? [] : text.replace(/\n$/, "").split("\n");
}

function paint(mark: Row["mark"], line: string, { good, bad }: Style): string {
  const text = `${mark} ${line}`;
  if (mark === " ") return text;
  return mark === "+" ? good(text) : bad(text);
}

/** Compares by the longest common subsequence, which is fast enough for settings files. */
function compare(before: readonly string[], after: readonly string[]): Row[] {
  const lengths = commonLengths(before, after);
  const rows: Row[] = [];
  let [left, right] = [0, 0];
  while (left < before.length || right < after.length) {
    const [old = "", fresh = ""] = [before[left], after[right]];
    if (left < before.length && right < after.length && old === fresh) {
      rows.push({ mark: " ", line: old });
      left++;
      right++;
    } else if (
      right === after.length ||
      (left < before.length && at(lengths, left + 1, right) >= at(lengths, left, right + 1))
    ) {
      rows.push({ mark: "-", line: old });
      left++;
    } else {
      rows.push({ mark: "+", line: fresh });
      right++;
    }
  }
  return rows;
}

function commonLengths(before: readonly string[], after: readonly string[]): number[][] {
  const lengths = Array.from({ length: before.length + 1 }, () => new Array<number>(after.length + 1).fill(0));
  for (let left = before.length - 1; left >= 0; left--) {
    for (let right = after.length - 1; right >= 0; right--) {
      const longer = Math.max(at(lengths, left + 1, right), at(lengths, left, right + 1));
      const row = lengths[left];
      if (row !== undefined) row[right] = before[left] === after[right] ? at(lengths, left + 1, right + 1) + 1 : longer;
    }
  }
  return lengths;
}

function at(lengths: readonly (readonly number[])[], left: number, right: number): number {
  return lengths[left]?.[right] ?? 0;
}
