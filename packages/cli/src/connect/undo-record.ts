import { createHash } from "node:crypto";
import { rmSync } from "node:fs";
import { isJsonObject, tryParseJson } from "@longhaul/conversation/advanced";
import { invalid } from "../terminal/invalid.ts";
import type { Path } from "./editor.ts";
import { OWNER_ONLY, readStored, replaceStored } from "./stored-file.ts";

/** The data for `--undo`. Written values are kept as hashes, so that the record contains no key that Longhaul wrote. */
export interface UndoRecord {
  /** The text before the first write; absent if there was no file. */
  readonly before: string | undefined;
  readonly afterHash: string;
  /** The written values. Each is undone only if it still has this hash. */
  readonly pieces: readonly Piece[];
  readonly mode?: { readonly before: number; readonly after: number } | undefined;
  /** The topmost folder that was created for the file, if any. */
  readonly folder?: string | undefined;
  /** The API keys that were created for the file. */
  readonly keys?: readonly CreatedKey[] | undefined;
}

export interface CreatedKey {
  readonly id: string;
  /** SHA-256 of the key, which is long and random. */
  readonly hash: string;
}

interface Piece {
  readonly path: Path;
  readonly hash: string;
  /** Whether the hash is that of one line. */
  readonly isHeader?: true;
}

function recordPath(path: string): string {
  return `${path}.longhaul-undo`;
}

export function readRecord(path: string): UndoRecord | undefined {
  const stored = readStored(recordPath(path));
  if (stored === undefined) return undefined;
  const record: unknown = tryParseJson(stored.text);
  if (isRecord(record)) return record;
  throw invalid(`${recordPath(path)} is damaged; remove it to continue without --undo`);
}

export function keepRecord(path: string, record: UndoRecord): void {
  replaceStored(recordPath(path), `${JSON.stringify(record, null, 2)}\n`, OWNER_ONLY);
}

export function dropRecord(path: string): void {
  rmSync(recordPath(path), { force: true });
}

function isRecord(value: unknown): value is UndoRecord {
  if (!isJsonObject(value) || typeof value.afterHash !== "string" || !Array.isArray(value.pieces)) return false;
  if (value.keys !== undefined && !(Array.isArray(value.keys) && value.keys.every(isCreatedKey))) return false;
  return ["string", "undefined"].includes(typeof value.before) && value.pieces.every(isPiece);
}

function isCreatedKey(value: unknown): value is CreatedKey {
  return isJsonObject(value) && typeof value.id === "string" && typeof value.hash === "string";
}

function isPiece(value: unknown): value is Piece {
  return isJsonObject(value) && typeof value.hash === "string" && Array.isArray(value.path);
}

export function hashOfText(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** Hashes plain data, independent of the order of an object's keys. */
export function hashOf(value: unknown): string {
  return hashOfText(canonical(value));
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (value instanceof Date || !isJsonObject(value)) return `${typeof value}:${JSON.stringify(String(value))}`;
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${entries.map(([name, entry]) => `${JSON.stringify(name)}:${canonical(entry)}`).join(",")}}`;
}
