import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { LonghaulError, table } from "@longhaul/conversation";
import { parse } from "yaml";

/** A file that the user named. */
export interface UserFile {
  readonly path: string;
  /** As the user spelled it. */
  readonly name: string;
}

/** A file by its name, which counts from the folder that the program was called in. */
export function userFile(name: string, { folder }: { readonly folder: string }): UserFile {
  return { path: resolve(folder, name), name };
}

/** The text of a file. */
export function readText({ path, name }: UserFile): string {
  try {
    return readFileSync(path, "utf8");
  } catch (cause) {
    throw new LonghaulError("settings.invalid", `${name} cannot be read: ${reasonOf(cause)}`, { cause });
  }
}

/** What a file says in YAML, or in JSON, which is YAML too. */
export function readYaml(file: UserFile): unknown {
  const text = readText(file);
  try {
    const value: unknown = parse(text);
    return value;
  } catch (cause) {
    const why = reasonOf(cause).replace(/:?\n.*$/s, "");
    throw new LonghaulError("settings.invalid", `${file.name} cannot be read as YAML or JSON: ${why}`, { cause });
  }
}

/** Writes a file anew. */
export function writeText({ path, name }: UserFile, text: string): void {
  try {
    writeFileSync(path, text);
  } catch (cause) {
    const why = isMissing(cause) ? "its folder is not there; make that first" : reasonOf(cause);
    throw new LonghaulError("settings.invalid", `${name} cannot be written: ${why}`, { cause });
  }
}

function isMissing(cause: unknown): boolean {
  return cause instanceof Error && "code" in cause && cause.code === "ENOENT";
}

/** Why the system refused something, for people. */
export function reasonOf(cause: unknown): string {
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
  return REASONS[code] ?? (cause instanceof Error ? cause.message : String(cause));
}

const REASONS: Readonly<Record<string, string>> = table({
  ENOENT: "there is no such file; check its path",
  EISDIR: "it is a folder; name a file in it",
  ENOTDIR: "a part of its path is not a folder",
  ELOOP: "its links lead in a circle",
  EACCES: "its permissions do not allow it",
  EPERM: "the system does not allow it",
  EROFS: "nothing can be written on its disk",
  ENOSPC: "the disk is full",
  EADDRINUSE: "another program uses that port",
  ERR_STRING_TOO_LONG: "it is one JSON document of over 512 MB, more than can be read at once",
});
