import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { type JsonValue, LonghaulError } from "@longhaul/conversation";
import type { Terminal } from "../terminal.ts";
import { reasonOf } from "../user-file.ts";
import type { ClientFile } from "./clients.ts";
import { getEnv, removeEnv, setEnv } from "./env-edit.ts";
import { type Filling, fillValue } from "./fill.ts";
import { getJson, removeJson, setJson } from "./json-edit.ts";
import { getToml, removeToml, setToml } from "./toml-edit.ts";
import { getYaml, removeYaml, setYaml } from "./yaml-edit.ts";

/** What is to become of a settings file. Nothing before: it is made; nothing after: it is removed. */
export interface FileChange {
  readonly path: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

interface Editor {
  readonly set: (text: string, path: readonly string[], value: JsonValue) => string;
  readonly get: (text: string, path: readonly string[]) => JsonValue | undefined;
  readonly remove: (text: string, path: readonly string[]) => string;
}

const EDITORS: Readonly<Record<ClientFile["format"], Editor>> = {
  json: { set: setJson, get: getJson, remove: removeJson },
  toml: { set: setToml, get: getToml, remove: removeToml },
  yaml: { set: setYaml, get: getYaml, remove: removeYaml },
  env: { set: setEnv, get: getEnv, remove: removeEnv },
};

/** Where a client's settings file is, or would be. */
export function settingsPath(
  { folder, variable, names }: ClientFile,
  { environment }: Pick<Terminal, "environment">,
): string {
  const home = environment.HOME || homedir();
  const chosen = (variable === undefined ? undefined : environment[variable]) || folder.replace(/^~/, home);
  const paths = names.map((name) => join(chosen, name));
  return paths.find((path) => existsSync(path)) ?? paths[0] ?? chosen;
}

/** The file with the client's settings in it. */
export function planWrite(file: ClientFile, filling: Filling, terminal: Pick<Terminal, "environment">): FileChange {
  const path = settingsPath(file, terminal);
  const before = readIf(path);
  return { path, before, after: named(path, () => withSettings(before, file, filling)) };
}

/** A file's text with the client's settings in it; nothing before: what stands in a file that is made. */
export function withSettings(before: string | undefined, file: ClientFile, filling: Filling): string {
  const editor = EDITORS[file.format];
  let text = before ?? file.opening ?? "";
  for (const setting of file.settings) {
    const value = fillValue(setting.value, filling);
    if (value !== undefined) text = editor.set(text, setting.path, value);
  }
  return text;
}

/** The file as it was before, but for what somebody changed since. Where nothing is kept, nothing was written. */
export function planUndo(file: ClientFile, terminal: Pick<Terminal, "environment">): FileChange {
  const path = settingsPath(file, terminal);
  const before = readIf(path);
  const original = readIf(backupOf(path));
  if (before === undefined || original === undefined) return { path, before, after: before };
  return { path, before, after: named(path, () => takeBack(before, original, file)) };
}

function takeBack(text: string, original: string, file: ClientFile): string | undefined {
  const editor = EDITORS[file.format];
  const without = (whole: string) => file.settings.reduce((rest, { path }) => editor.remove(rest, path), whole);
  const rest = without(text);
  if (original === NO_FILE) {
    return ["", "{}", file.opening ?? ""].some((empty) => isSame(rest, empty)) ? undefined : rest;
  }
  if (isSame(rest, without(original))) return original;
  return file.settings.reduce((whole, { path }) => {
    const value = editor.get(original, path);
    return value === undefined ? editor.remove(whole, path) : editor.set(whole, path, value);
  }, text);
}

/** Makes a change. Says where what was there before is kept, if it is. */
export function makeChange({ path, before, after }: FileChange): string | undefined {
  const backup = backupOf(path);
  return named(path, () => {
    if (after === undefined) rmSync(path, { force: true });
    else replace(path, after);
    if (before === undefined || after === undefined) return undefined;
    return (readIf(backup) ?? NO_FILE) === NO_FILE ? undefined : backup;
  });
}

/** Keeps the file as it is, or that there is none, unless an earlier state is kept already. */
export function keepBackup({ path, before }: FileChange): void {
  const backup = backupOf(path);
  if (existsSync(backup)) return;
  named(path, () => {
    if (before !== undefined) return copyFileSync(path, backup);
    makeFolder(path);
    return writeFileSync(backup, NO_FILE, { mode: OWNER_ONLY });
  });
}

/** Forgets what was kept. */
export function dropBackup({ path }: FileChange): void {
  rmSync(backupOf(path), { force: true });
}

/** What is kept of a file that was not there. */
const NO_FILE = "";

function backupOf(path: string): string {
  return `${path}.before-longhaul`;
}

function readIf(path: string): string | undefined {
  return existsSync(path) ? named(path, () => readFileSync(path, "utf8")) : undefined;
}

/** Settings hold keys: a file that is made is for its owner alone. */
const OWNER_ONLY = 0o600;

/** Whoever reads the file meanwhile sees the old one or the new one, whole. */
function replace(path: string, text: string): void {
  makeFolder(path);
  // Settings are often links into a folder that is kept elsewhere.
  const target = existsSync(path) ? realpathSync(path) : path;
  const mode = existsSync(path) ? statSync(path).mode & 0o777 : OWNER_ONLY;
  const next = `${target}.next`;
  writeFileSync(next, text, { mode });
  chmodSync(next, mode);
  renameSync(next, target);
}

function makeFolder(path: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true });
  } catch (cause) {
    throw new LonghaulError("settings.invalid", "its folder cannot be made; see that this user may", { cause });
  }
}

function isSame(one: string, other: string): boolean {
  const packed = (text: string) => text.replaceAll(/\s+/g, "");
  return packed(one) === packed(other);
}

/** Says of what goes wrong with which file it does. */
function named<Result>(path: string, act: () => Result): Result {
  try {
    return act();
  } catch (cause) {
    const why = cause instanceof LonghaulError ? cause.message : reasonOf(cause);
    throw new LonghaulError("settings.invalid", `${path}: ${why}`, { cause });
  }
}
