import { isLoopback } from "@longhaul/settings";
import type { Terminal } from "../terminal/terminal.ts";
import { CLIENTS, type Client, type ClientFile } from "./clients.ts";
import { settingAt, settingsPath } from "./settings-file.ts";
import { readRecord } from "./undo-record.ts";

/** A client whose settings point at a gateway. */
export interface ConnectedClient {
  readonly client: Client;
  readonly path: string;
  readonly url: string;
}

/** Returns the clients whose settings Longhaul wrote, or that point at this machine. Files that cannot be read are left out. */
export function connectedClients(terminal: Pick<Terminal, "environment">): ConnectedClient[] {
  return CLIENTS.flatMap((client) => {
    for (const file of client.files ?? []) {
      const found = connectedFile(file, terminal);
      if (found !== undefined) return [{ client, ...found }];
    }
    return [];
  });
}

function connectedFile(file: ClientFile, terminal: Pick<Terminal, "environment">) {
  const path = settingsPath(file, terminal);
  const template = file.settings.find(({ value }) => typeof value === "string" && value.startsWith("{url}"));
  if (template === undefined) return undefined;
  try {
    const value = settingAt(path, file, template.path);
    const url = typeof value === "string" ? originOf(value) : undefined;
    if (url === undefined) return undefined;
    return readRecord(path) !== undefined || isLoopback(new URL(url).hostname) ? { path, url } : undefined;
  } catch {
    return undefined;
  }
}

function originOf(text: string): string | undefined {
  return URL.canParse(text) ? new URL(text).origin : undefined;
}
