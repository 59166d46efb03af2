import { type FSWatcher, readFileSync, realpathSync, watch } from "node:fs";
import { basename, dirname, resolve } from "node:path";

/** A file that is watched. */
export interface FileWatch {
  close(): void;
}

/** Who is told of a watched file. */
export interface FileWatcher {
  /** It was written, replaced or removed, and says something else than before. */
  changed(): void;
  /** It is no longer watched, because the system does not allow it. */
  failed(why: string): void;
}

/** Editors write a file in several steps; this long after the last of them it is looked at. */
const QUIET_MS = 100;

/**
 * Watches a file by the folder that it stands in, because editors replace files instead of writing them, and by the one that a link leads
 * to. Only another content counts as a change.
 */
export function watchFile(file: string, watcher: FileWatcher): FileWatch {
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
    // Others may write to the folder all the time, and must not put the look off for ever.
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

/** What the file says; nothing where it cannot be read. */
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
