import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { CLIENTS, type Client, type ClientTraces } from "../connect/clients.ts";
import { connectedClients } from "../connect/connected.ts";
import { isOnPath } from "../terminal/on-path.ts";
import type { Terminal } from "../terminal/terminal.ts";

type Environment = Pick<Terminal, "environment">;
type TracedClient = Client & { readonly traces: ClientTraces };

/** A client on this machine. Logins and keys are only looked for: their values are never kept or printed. */
export interface FoundClient {
  readonly client: TracedClient;
  /** Whether its program is on the PATH, so that it can send a test request. */
  readonly isOnPath: boolean;
  readonly hasLogin: boolean;
  /** Whether it has only a login that works at the vendor's own address. */
  readonly hasBoundLogin: boolean;
  /** Names of the variables that are set. */
  readonly variables: readonly string[];
  /** Folder with session logs. */
  readonly logs?: string;
  /** Gateway that its settings point at. */
  readonly url?: string;
}

/** Returns the clients that are installed or have been used here, and that `setup` can connect. */
export function findClients(terminal: Environment): FoundClient[] {
  const connected = connectedClients(terminal);
  return CLIENTS.filter(isTraced).flatMap((client) => {
    const isInstalled = isOnPath(client.program ?? "", terminal);
    if (!isInstalled && !(client.files ?? []).some(({ folder }) => existsSync(pathOf(folder, client, terminal))))
      return [];
    const { boundLogins = [], variables, logs = "" } = client.traces;
    const logFolder = pathOf(logs, client, terminal);
    const url = connected.find((each) => each.client.id === client.id)?.url;
    const hasFile = (file: string) => existsSync(pathOf(file, client, terminal));
    return [
      {
        client,
        isOnPath: isInstalled,
        hasLogin: hasLogin(client, terminal),
        hasBoundLogin: boundLogins.some(hasFile),
        variables: variables.filter((name) => terminal.environment[name]),
        ...(logs !== "" && existsSync(logFolder) && { logs: logFolder }),
        ...(url !== undefined && { url }),
      },
    ];
  });
}

/** Returns the folders with session logs of the clients on this machine. */
export function logFolders(terminal: Environment): string[] {
  return findClients(terminal).flatMap(({ logs }) => logs ?? []);
}

function hasLogin(client: TracedClient, terminal: Environment): boolean {
  const { logins = [], loginVariable = "" } = client.traces;
  if (terminal.environment[loginVariable]) return true;
  return logins.some(({ file, containing }) => contains(pathOf(file, client, terminal), containing));
}

function isTraced(client: Client): client is TracedClient {
  return client.traces !== undefined;
}

/** Resolves `~` and the variable that moves the client's folder. */
function pathOf(path: string, { files = [] }: Client, { environment }: Environment): string {
  const home = environment.HOME || homedir();
  const [moved] = files.filter(({ folder, variable }) => variable && environment[variable] && path.startsWith(folder));
  const folder = moved?.variable === undefined ? undefined : environment[moved.variable];
  return moved && folder ? path.replace(moved.folder, folder) : path.replace(/^~/, home);
}

function contains(path: string, text = ""): boolean {
  try {
    return readFileSync(path, "utf8").includes(text);
  } catch {
    return false;
  }
}
