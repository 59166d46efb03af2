import { accessSync, constants, statSync } from "node:fs";
import { delimiter, join } from "node:path";
import type { Terminal } from "./terminal.ts";

/** Returns whether a shell would find a program. */
export function isOnPath(name: string, { environment }: Pick<Terminal, "environment">): boolean {
  const suffixes = process.platform === "win32" ? [".cmd", ".exe"] : [""];
  const folders = (environment.PATH ?? "").split(delimiter).filter((folder) => folder !== "");
  return folders.some((folder) => suffixes.some((suffix) => isExecutable(join(folder, `${name}${suffix}`))));
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
