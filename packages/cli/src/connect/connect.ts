import { isLoopback } from "@longhaul/settings";
import { storeLocation } from "@longhaul/store";
import { layeredSettings } from "../config/config-source.ts";
import { isAnswering } from "../gateway/address.ts";
import { findRunning } from "../gateway/running.ts";
import { invalid } from "../terminal/invalid.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { answerDoubt, describeDoubt } from "./answer-doubt.ts";
import {
  describeDeleted,
  describeNewKey,
  describeReleased,
  keyWarning,
  planFiles,
  planKey,
  releasedKeys,
  requiresKeyAt,
  withShownKey,
  writeWithKeys,
} from "./client-key.ts";
import { CLIENTS, type Client } from "./clients.ts";
import { connectedClients } from "./connected.ts";
import { applyChange, describeChange, describeNotes, isChange } from "./describe-change.ts";
import { describeClient } from "./describe-client.ts";
import { type ClientFlags, type Placeholders, placeholdersOf } from "./fill.ts";
import { type FileChange, planUndo } from "./settings-file.ts";

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
  if (flags.undo === true) return undo(client, flags, terminal);
  if (flags.write === true) return write(client, flags, terminal);
  const placeholders = await shownPlaceholders(client, flags, terminal);
  terminal.write(describeClient(client, placeholders, terminal));
}

async function write(client: Client, flags: ConnectFlags, terminal: Terminal): Promise<void> {
  requireFiles(client);
  const key = await planKey(client, placeholdersOf(flags, terminal), terminal);
  const { url } = key.placeholders;
  terminal.writeError(`${describeDoubt(await answerDoubt(client, flags, terminal))}${describeWarning(key.warning)}`);
  const plan = planFiles(client, key, terminal);
  if (!plan.some(isChange)) {
    for (const each of plan) terminal.write(describeNotes(each));
    terminal.write(`${client.name} is already connected to ${url}.\n${unchanged(plan)}`);
    return;
  }
  const created = key.created === undefined ? [] : [key.created];
  const released = await releasedKeys(plan, terminal);
  if (!(await isAgreed({ plan, more: describeReleased(released) }, flags, terminal))) return;
  await writeWithKeys({ changes: plan, created, released }, terminal, (each) => terminal.write(applyChange(each)));
  for (const each of created) terminal.write(`${describeNewKey(client, each)}\n`);
  terminal.write(await describeDeleted(released, terminal));
  terminal.write(`Revert it with \`longhaul connect ${client.id} --undo\`.\n`);
  await warnIfDead(client, url, terminal);
}

async function undo(client: Client, flags: ConnectFlags, terminal: Terminal): Promise<void> {
  const plan = requireFiles(client).map((file) => planUndo(file, terminal));
  const released = await releasedKeys(plan, terminal);
  const change = { changes: plan, created: [], released };
  const apply = (each: FileChange) => terminal.write(applyChange(each));
  if (!plan.some(isChange) && released.keys.length === 0) {
    // Drops the undo record, because nothing is left to undo.
    await writeWithKeys(change, terminal, apply);
    terminal.write(unchanged(plan));
    return;
  }
  const shown = { plan, more: describeReleased(released), question: "Restore these files?" };
  if (!(await isAgreed(shown, flags, terminal))) return;
  await writeWithKeys(change, terminal, apply);
  terminal.write(await describeDeleted(released, terminal));
}

function unchanged(plan: readonly FileChange[]): string {
  return `No changes to make in ${plan.map(({ path }) => path).join(" and ")}.\n`;
}

/** Warns if no model would answer the client, and returns the placeholders for settings that are copied. */
async function shownPlaceholders(client: Client, flags: ConnectFlags, terminal: Terminal): Promise<Placeholders> {
  const placeholders = placeholdersOf(flags, terminal);
  const isMissing = placeholders.key === undefined && (await requiresKeyAt(placeholders.url, terminal));
  terminal.writeError(
    `${describeDoubt(await answerDoubt(client, flags, terminal))}${describeWarning(isMissing ? keyWarning(client, placeholders.url) : undefined)}`,
  );
  const connected = connectedClients(terminal).find((each) => each.client.id === client.id);
  if (connected?.url === placeholders.url)
    terminal.writeError(`${client.name} is already connected to ${connected.url} (${connected.path}).\n`);
  return isMissing ? withShownKey(client, placeholders) : placeholders;
}

function describeWarning(warning: string | undefined): string {
  return warning === undefined ? "" : `Warning: ${warning}\n`;
}

/** A client that points at a gateway that does not run gets no answers at all. */
async function warnIfDead({ id, name }: Client, url: string, terminal: Terminal): Promise<void> {
  if (await isAnswering(url)) return;
  const back = `go back with \`longhaul connect ${id} --undo\`.`;
  if (!isLoopback(new URL(url).hostname)) {
    const found = `the gateway at ${url} does not answer, so ${name} gets no answers`;
    terminal.writeError(`Warning: ${found}. Check its address and the network, or ${back}\n`);
    return;
  }
  const { config } = await layeredSettings({}, terminal);
  const running = await findRunning(storeLocation(config));
  const start = running === undefined ? "Start it with `longhaul start`" : `One is running at ${running.url} (--url)`;
  terminal.writeError(`Warning: no gateway is running at ${url}, so ${name} gets no answers. ${start}, or ${back}\n`);
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

function requireFiles({ id, name, files }: Client): NonNullable<Client["files"]> {
  if (files !== undefined) return files;
  throw invalid(`${name} has no settings file to write; \`longhaul connect ${id}\` shows how to set it up manually`);
}

interface ShownChanges {
  readonly plan: readonly FileChange[];
  /** Lines after the changes. */
  readonly more: string;
  readonly question?: string;
}

/** Shows the changes and asks. */
async function isAgreed(
  { plan, more, question = "Write these changes?" }: ShownChanges,
  { yes }: ConnectFlags,
  terminal: Terminal,
): Promise<boolean> {
  for (const change of plan.filter(isChange)) terminal.write(describeChange(change, terminal));
  terminal.write(more);
  if (yes === true) return true;
  const answer = await terminal.confirm(question);
  if (answer === undefined) throw invalid("standard input is not a terminal; use --yes to write without asking");
  if (!answer) terminal.write("Nothing was written.\n");
  return answer;
}
