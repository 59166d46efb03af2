import { readdirSync, readFileSync } from "node:fs";
import { join, sep } from "node:path";
import { fileURLToPath } from "node:url";
import type { TextFile } from "./architecture/source-file.ts";

/** The folder of the repository. */
export const ROOT = fileURLToPath(new URL("..", import.meta.url));

/** Generated files and folders. In a git worktree, `.git` is a file. */
const GENERATED = new Set(["node_modules", ".git", ".cache", "coverage", "dist"]);

/** Reads the repository's own files whose path `wanted` accepts, in the order of their paths. */
export function readFiles(wanted: (path: string) => boolean, root = ROOT): TextFile[] {
  return listFiles(root, "")
    .filter(wanted)
    .sort()
    .map((path) => ({ path, text: readText(path, root) }));
}

/** Reads one file by its path from the root. */
export function readText(path: string, root = ROOT): string {
  return readFileSync(join(root, path), "utf8");
}

/** Reads one JSON file by its path from the root; the caller states its type. */
export function readJson<T>(path: string): T {
  return JSON.parse(readText(path)) as T;
}

export function packageFolders(): string[] {
  return readdirSync(join(ROOT, "packages"), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name);
}

function listFiles(root: string, folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
    if (GENERATED.has(entry.name)) return [];
    return entry.isDirectory() ? listFiles(root, path) : [path.replaceAll(sep, "/")];
  });
}
