import { describeNewKey, planFiles, planKey, releasedKeys, writeWithKeys } from "../connect/client-key.ts";
import { type ConnectedClient, connectedClients } from "../connect/connected.ts";
import { placeholdersOf } from "../connect/fill.ts";
import { writeChange } from "../connect/settings-file.ts";
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
    const commands = clients.map(({ client: { id } }) => `longhaul connect ${id} --write`);
    terminal.writeError(
      `Give each a key of its own, or use --yes to do that now:\n${commands.map((each) => `  ${each}\n`).join("")}`,
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

/** Gives a client a key of its own and writes it to the client's settings. Returns a line about it. */
export async function giveKey({ client, url }: ConnectedClient, terminal: Terminal): Promise<string> {
  const key = await planKey(client, { url, model: DEFAULT_MODEL }, terminal);
  if (key.warning !== undefined) return `Warning: ${key.warning}\n`;
  const changes = planFiles(client, key, terminal);
  const { created } = key;
  const released = await releasedKeys(changes, terminal);
  await writeWithKeys({ changes, created: created === undefined ? [] : [created], released }, terminal, writeChange);
  const paths = changes.map(({ path }) => path).join(", ");
  return created === undefined
    ? `${client.name} keeps its API key (${paths}).\n`
    : `${describeNewKey(client, created)} It is in ${paths}.\n`;
}
