import { accessSync, constants, existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { table } from "@longhaul/conversation/values";
import { invalid } from "./invalid.ts";

export interface UserFile {
  readonly path: string;
  readonly name: string;
}

export function userFile(name: string, { folder }: { readonly folder: string }): UserFile {
  return { path: resolve(folder, name), name };
}

export function readText({ path, name }: UserFile): string {
  try {
    return readFileSync(path, "utf8");
  } catch (cause) {
    throw invalid(`cannot read ${name}: ${reasonOf(cause)}`, cause);
  }
}

export function writeText({ path, name }: UserFile, text: string): void {
  try {
    writeFileSync(path, text);
  } catch (cause) {
    const why = isMissing(cause) ? "its folder does not exist; create it first" : reasonOf(cause);
    throw invalid(`cannot write ${name}: ${why}`, cause);
  }
}

/** Returns a folder, or the nearest one above it that exists. */
export function nearestFolder(folder: string): string {
  return existsSync(folder) || dirname(folder) === folder ? folder : nearestFolder(dirname(folder));
}

export function mayWrite(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function isMissing(cause: unknown): boolean {
  return cause instanceof Error && "code" in cause && cause.code === "ENOENT";
}

export function reasonOf(cause: unknown): string {
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
  return REASONS[code] ?? (cause instanceof Error ? cause.message : String(cause));
}

const REASONS: Readonly<Record<string, string>> = table({
  ENOENT: "no such file; check the path",
  EISDIR: "it is a folder; choose a file",
  ENOTDIR: "part of the path is not a folder",
  ELOOP: "its symbolic links form a loop",
  EACCES: "permission denied",
  EPERM: "operation not permitted",
  EROFS: "the file system is read-only",
  ENOSPC: "the disk is full",
  EADDRINUSE: "another program uses this port",
  ERR_STRING_TOO_LONG: "it is a single JSON document over 512 MB, too large to read at once",
});
