import { table } from "@longhaul/conversation";
import type { Draft } from "./draft.ts";

/** Where a proxy listens and what it logs; a text is empty and a port not above 0 where its configuration does not say. */
export interface ImportedServer {
  readonly host: string;
  readonly port: number;
  readonly level: string;
}

/** Adds where the gateway listens and what it logs. */
export function addServer({ host, port, level }: ImportedServer, draft: Draft): void {
  if (port > 0) draft.set("server", { port });
  if (host === "0.0.0.0")
    draft.note("HOST: others are let in only with keys: make one (`longhaul keys create`), then set server.host");
  else if (host !== "") draft.set("server", { host });
  const spelled = level.toLowerCase();
  if (spelled !== "") draft.set("log", { level: LEVELS[spelled] ?? spelled });
}

/** Python's names of levels, where they differ. */
const LEVELS: Readonly<Record<string, string>> = table({ warning: "warn", critical: "fatal" });
