import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import { invalid } from "../terminal/invalid.ts";
import { mayWrite, nearestFolder } from "../terminal/user-file.ts";

export interface StoredFile {
  readonly text: string;
  readonly mode: number;
}

/** Mode of a new file: settings contain keys, so only the owner may read them. */
export const OWNER_ONLY = 0o600;
const OWNER_ONLY_FOLDER = 0o700;
const PERMISSIONS = 0o777;
const ANYONE_WRITES = 0o222;

/** Reads a file, if it exists. Throws if it is not a regular file of UTF-8 text. */
export function readStored(path: string): StoredFile | undefined {
  if (!isThere(path)) return undefined;
  if (!existsSync(path))
    throw invalid("it is a link to a file that does not exist; remove the link or create its target");
  const stats = statSync(path);
  if (!stats.isFile()) throw invalid("it is not a regular file; move or delete it first");
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(readFileSync(path));
    return { text, mode: stats.mode & PERMISSIONS };
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause;
    throw invalid("it is not UTF-8 text; save it as UTF-8 first", cause);
  }
}

/** Throws if a file cannot be written, before anything is. Respects permission bits even for root. */
export function requireWritable(path: string): void {
  if (existsSync(path)) {
    if (isReadOnly(path)) throw invalid("it is read-only; make it writable first (chmod u+w)");
    requireFolder(dirname(realpathSync(path)));
  }
  requireFolder(dirname(path));
}

function requireFolder(folder: string): void {
  const there = nearestFolder(folder);
  if (!statSync(there).isDirectory()) throw invalid(`its folder cannot be created, because ${there} is not a folder`);
  if (isReadOnly(there)) throw invalid(`the folder ${there} is read-only; make it writable first (chmod u+w)`);
}

function isReadOnly(path: string): boolean {
  return (statSync(path).mode & ANYONE_WRITES) === 0 || !mayWrite(path);
}

/** Replaces a file atomically; follows links and keeps the owner. Without a mode, a new file is for its owner only. */
export function replaceStored(path: string, text: string, mode?: number): void {
  const target = existsSync(path) ? realpathSync(path) : path;
  const stats = existsSync(target) ? statSync(target) : undefined;
  const next = `${target}.longhaul-${process.pid}.tmp`;
  rmSync(next, { force: true });
  try {
    writeNew(next, text);
    chmodSync(next, mode ?? (stats === undefined ? OWNER_ONLY : stats.mode & PERMISSIONS));
    keepOwner(next, stats);
    renameSync(next, target);
  } catch (cause) {
    rmSync(next, { force: true });
    throw cause;
  }
}

function writeNew(path: string, text: string): void {
  const file = openSync(path, "wx", OWNER_ONLY);
  try {
    writeFileSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

function keepOwner(path: string, stats: Stats | undefined): void {
  const { uid, gid } = statSync(path);
  if (stats !== undefined && (stats.uid !== uid || stats.gid !== gid)) chownSync(path, stats.uid, stats.gid);
}

export function makeFolder(path: string): string | undefined {
  return mkdirSync(dirname(path), { recursive: true, mode: OWNER_ONLY_FOLDER });
}

/** Removes folders that are empty, from that of a file up to `top`. */
export function removeFolders(path: string, top: string): void {
  for (let folder = dirname(path); folder.startsWith(top); folder = dirname(folder)) {
    try {
      rmdirSync(folder);
    } catch {
      return;
    }
  }
}

function isThere(path: string): boolean {
  const folder = statSync(dirname(path), { throwIfNoEntry: false });
  return folder?.isDirectory() === true && lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}
