import { type FSWatcher, readFileSync, realpathSync, watch } from "node:fs";
import { basename, dirname, resolve } from "node:path";

/** Callbacks of a watch. */
export interface FileWatcher {
  /** The file was written, replaced or removed, and its content differs. */
  changed(): void;
  /** The system stopped the watch, or does not allow it. */
  failed(why: string): void;
}

/** Editors write a file in several steps; it is read this long after the last one. */
const QUIET_MS = 100;

/**
 * Watches a file through its folder, because editors replace files instead of writing them, and through the folder that a link leads to. Only
 * different content counts as a change.
 */
export function watchFile(file: string, watcher: FileWatcher) {
  let before = textOf(file);
  let timer: NodeJS.Timeout | undefined;
  const look = () => {
    timer = undefined;
    const text = textOf(file);
    if (text === before) return;
    before = text;
    watcher.changed();
  };
  const wake = (_: string, name: string | null) => {
    // Frequent writes to other files in the folder must not postpone the check forever.
    if (timer !== undefined && name !== basename(file)) return;
    clearTimeout(timer);
    timer = setTimeout(look, QUIET_MS);
    timer.unref();
  };
  const watches: FSWatcher[] = [];
  const close = () => {
    clearTimeout(timer);
    for (const open of watches.splice(0)) open.close();
  };
  const fail = (error: unknown) => {
    close();
    watcher.failed(error instanceof Error ? error.message : String(error));
  };
  try {
    for (const folder of foldersOf(file)) watches.push(watch(folder, { persistent: false }, wake).on("error", fail));
  } catch (error) {
    fail(error);
  }
  return { close };
}

/** Returns the file's content, or undefined if it cannot be read. */
function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}

function foldersOf(file: string): Set<string> {
  const path = resolve(file);
  try {
    return new Set([dirname(path), dirname(realpathSync(path))]);
  } catch {
    return new Set([dirname(path)]);
  }
}
