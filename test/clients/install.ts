import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Client } from "./client.ts";

const CACHE = fileURLToPath(new URL("../../.cache/clients", import.meta.url));
const LIMIT_MS = 600_000;

/** Installs a client from npm, unless it is cached, without install scripts. */
export function install(client: Client): void {
  const folder = folderOf(client);
  if (existsSync(folder)) return;
  const begun = `${folder}.begun`;
  rmSync(begun, { recursive: true, force: true });
  mkdirSync(begun, { recursive: true });
  const flags = ["--no-save", "--no-package-lock", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  const wanted = `${client.package}@${client.version}`;
  execFileSync("npm", ["install", "--prefix", begun, ...flags, wanted], { stdio: "inherit", timeout: LIMIT_MS });
  renameSync(begun, folder);
}

/** Returns the folder of an installed client's program. */
export function programsOf(client: Client): string {
  return join(folderOf(client), "node_modules", client.programs ?? ".bin");
}

function folderOf({ id, version }: Client): string {
  return join(CACHE, `${id}-${version}`);
}
