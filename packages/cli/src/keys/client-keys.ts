import { makeKey } from "@longhaul/admin";
import type { Store } from "@longhaul/store";
import { type ConnectedClient, connectedClients } from "../connect/connected.ts";
import { type Placeholders, placeholdersOf } from "../connect/fill.ts";
import { planWrite, settingAt, settingsPath, writeChange } from "../connect/settings-file.ts";
import { kindOfKey } from "../connect/simulator-warning.ts";
import { DEFAULT_MODEL } from "../terminal/options.ts";
import type { Terminal } from "../terminal/terminal.ts";

/** The answer to whether a first key may be created, and whether connected clients get keys of their own. */
export type KeyDecision = "create" | "create-and-give" | "cancel";

export interface DecisionFlags {
  readonly yes?: true;
  /** False for `--no-clients`. */
  readonly clients?: boolean;
  readonly json?: true;
}

/** Warns before the first key locks out connected clients, and asks what to do about them. Without a terminal, it only warns. */
export async function decideFirstKey(
  clients: readonly ConnectedClient[],
  flags: DecisionFlags,
  terminal: Terminal,
): Promise<KeyDecision> {
  if (clients.length === 0) return "create";
  const names = clients.map(({ client }) => client.name).join(", ");
  terminal.writeError(
    `Warning: with its first key, the gateway rejects clients that send none. Connected now: ${names}.\n`,
  );
  if (flags.clients === false) return "create";
  if (flags.yes === true) return "create-and-give";
  const answer =
    flags.json === true ? undefined : await terminal.confirm("Create it, and give each of them a key of its own?");
  if (answer === undefined) {
    const commands = clients.map(({ client: { id } }) => `longhaul connect ${id} --write --key <key>`);
    terminal.writeError(
      `Give them the key, or use --yes to do that now:\n${commands.map((each) => `  ${each}\n`).join("")}`,
    );
    return "create";
  }
  return answer ? "create-and-give" : "cancel";
}

/** Returns the clients that are connected to the gateway of this configuration. */
export function clientsOfGateway(terminal: Terminal): ConnectedClient[] {
  const { url } = placeholdersOf({ model: "" }, terminal);
  return connectedClients(terminal).filter((each) => each.url === url);
}

/** Creates a key for a client and writes it to the client's settings. Returns a line about it. */
export async function giveKey({ client, url }: ConnectedClient, { keys }: Store, terminal: Terminal): Promise<string> {
  if (sendsVendorKey(client, terminal))
    return `${client.name} sends a vendor's key and cannot send a second one: give the key to the gateway (upstreams.<name>.apiKey), then run \`longhaul connect ${client.id} --write --key <key>\`.\n`;
  const { key, stored } = makeKey({
    name: client.id,
    tenant: undefined,
    limits: {},
    context: {},
    createdAtMs: Date.now(),
  });
  await keys.create(stored);
  // Claude Code sends its login in the usual header, so the key needs another one.
  const isBesideLogin = JSON.stringify(client.files).includes("{headerKey}");
  const placeholders: Placeholders = { url, model: DEFAULT_MODEL, ...(isBesideLogin ? { headerKey: key } : { key }) };
  const changes = (client.files ?? []).map((file) => planWrite(file, placeholders, terminal));
  for (const change of changes) writeChange(change);
  return `${client.name} got the key "${client.id}" (${changes.map(({ path }) => path).join(", ")}).\n`;
}

function sendsVendorKey({ files = [] }: ConnectedClient["client"], terminal: Terminal): boolean {
  const keys = files.flatMap((file) =>
    file.settings
      .filter(({ value }) => value === "{key}" || value === "{anyKey}")
      .map(({ path }) => settingAt(settingsPath(file, terminal), file, path)),
  );
  return keys.some((key) => typeof key === "string" && kindOfKey(key) !== undefined);
}
