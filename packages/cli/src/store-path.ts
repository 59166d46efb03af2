import { homedir } from "node:os";
import { join } from "node:path";
import type { Config } from "@longhaul/settings";
import type { Terminal } from "./terminal.ts";

/** Where the store is: as a flag says, else the configuration (or `LONGHAUL_STORE`, which goes before it), else in the user's data folder. */
export function storePathOf(flag: string | undefined, { store }: Config, { environment }: Terminal): string {
  if (flag !== undefined) return flag;
  const data = environment.XDG_DATA_HOME || join(environment.HOME || homedir(), ".local", "share");
  return store.path ?? join(data, "longhaul", "longhaul.db");
}
