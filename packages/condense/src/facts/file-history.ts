import type { FileChange } from "../content/shell-changes.ts";

/** The changes to a file so far. */
export interface FileState {
  readonly isNew: boolean;
  readonly edits: number;
  readonly isDeleted: boolean;
  /** First name of a file that was moved. */
  readonly movedFrom?: string | undefined;
  /** Names that the changes added, the latest first. */
  readonly names: readonly string[];
}

/** More names of a file are never listed, even if later changes remove some. */
const KNOWN_NAMES = 100;
const UNCHANGED: FileState = { isNew: false, edits: 0, isDeleted: false, names: [] };

/** The names that a change adds to its file, and the words that it removes. */
export interface NameChange {
  readonly added: readonly string[];
  readonly removed: ReadonlySet<string>;
}

/** Follows files through changes and moves, and forgets what later ones replace. */
export class FileHistory {
  /** Changed files, the latest last. */
  readonly #changed = new Map<string, FileState>();
  /** Files that were read, the latest last. */
  readonly #read = new Set<string>();
  /** Every path that a tool named. */
  readonly #seen = new Set<string>();
  /** The folders of all files that were changed or read: any other path names a single file. */
  readonly #folders = new Set<string>();

  /** Records a change, the names that it adds, and the words that it removes. */
  change({ path, kind, to = path }: FileChange, names: NameChange): void {
    if (kind === "delete") this.#delete(path);
    else if (kind === "move") this.#move(path, to);
    else if (kind === "restore") this.#exists(path);
    else this.#write(path, kind, names);
    if (kind !== "restore") this.see([to]);
  }

  /** Records files that were read: they exist. */
  read(paths: readonly string[]): void {
    for (const path of paths.toReversed()) {
      this.#exists(path);
      this.#read.delete(path);
      this.#addRead(path);
    }
  }

  /** Records paths that a tool named, whatever it did with them. */
  see(paths: readonly string[]): void {
    for (const path of paths) this.#seen.add(path);
  }

  /** Returns the changed and deleted files, the latest first. */
  changes(): (readonly [string, FileState])[] {
    return [...this.#changed].reverse();
  }

  /** Returns the files that were read and not changed, the latest first. */
  readPaths(): string[] {
    const folders = new Set([...this.#seen, ...this.#read].flatMap(foldersOf));
    const isFile = (path: string) => !this.#changed.has(path) && !folders.has(path) && !HOME.test(path);
    return [...this.#read].reverse().filter(isFile);
  }

  #write(path: string, kind: "write" | "edit", { added, removed }: NameChange): void {
    const before = this.#changed.get(path);
    this.#exists(path);
    const isKnown = this.#seen.has(path) && before?.isNew !== true;
    const left = (before?.names ?? []).filter((name) => !removed.has(name));
    const names = [...new Set([...added, ...left])].slice(0, KNOWN_NAMES);
    this.#changed.delete(path);
    if (before !== undefined && !before.isDeleted) this.#set(path, { ...before, edits: before.edits + 1, names });
    else
      this.#set(path, {
        ...UNCHANGED,
        isNew: kind === "write" && !isKnown,
        edits: kind === "edit" || isKnown ? 1 : 0,
        names,
      });
  }

  #delete(path: string): void {
    const isNew = this.#changed.get(path)?.isNew === true;
    for (const known of this.#within(path, this.#changed)) this.#changed.delete(known);
    for (const known of this.#within(path, this.#read)) this.#read.delete(known);
    this.#set(path, { ...UNCHANGED, isNew, isDeleted: true });
  }

  /** Moves a file, or a folder with all that is known in it. */
  #move(path: string, to: string): void {
    const isReplaced = this.#seen.has(to) && this.#changed.get(to)?.isNew !== true;
    this.#exists(to);
    this.#seen.delete(path);
    // A moved path counts as changed.
    const isListed = this.#changed.get(path)?.isDeleted === false;
    for (const known of [...this.#within(path, this.#changed), ...(isListed ? [] : [path])]) {
      const state = this.#changed.get(known) ?? UNCHANGED;
      const target = to + known.slice(path.length);
      this.#changed.delete(known);
      this.#changed.delete(target);
      if (!state.isDeleted && state.movedFrom !== target) this.#set(target, movedState(state, known, isReplaced));
      else if (state.edits > 0) this.#set(target, { ...state, movedFrom: undefined });
    }
    for (const known of this.#within(path, this.#read)) {
      this.#read.delete(known);
      this.#addRead(to + known.slice(path.length));
    }
  }

  #set(path: string, state: FileState): void {
    this.#changed.set(path, state);
    for (const folder of foldersOf(path)) this.#folders.add(folder);
  }

  #addRead(path: string): void {
    this.#read.add(path);
    for (const folder of foldersOf(path)) this.#folders.add(folder);
  }

  /** Returns the paths in a list that are a path or in it. */
  #within(path: string, known: ReadonlySet<string> | ReadonlyMap<string, unknown>): string[] {
    if (!this.#folders.has(path)) return known.has(path) ? [path] : [];
    return [...known.keys()].filter((other) => isWithin(other, path));
  }

  /** A path that exists is not deleted, nor are the folders that contain it. */
  #exists(path: string): void {
    for (const folder of [...foldersOf(path), path])
      if (this.#changed.get(folder)?.isDeleted === true) this.#changed.delete(folder);
  }
}

/** A file that a move puts in the place of another one is an edit of that one. */
function movedState(state: FileState, from: string, isReplaced: boolean): FileState {
  if (!isReplaced) return { ...state, movedFrom: state.movedFrom ?? from };
  return { ...state, isNew: false, edits: state.edits + 1, movedFrom: undefined };
}

const HOME = /^(?:~|\/(?:home|Users)\/[^/]+)?\/?$/;

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

function foldersOf(path: string): string[] {
  return [...path.matchAll(/(?<=.)\//g)].map(({ index }) => path.slice(0, index));
}
