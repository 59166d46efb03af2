import { pathIn, simpleCommands } from "./shell-words.ts";

/** A change that a tool call makes to a file. */
export interface FileChange {
  readonly path: string;
  /** A path that is restored exists again, with unknown content. */
  readonly kind: "write" | "edit" | "delete" | "move" | "restore";
  /** New path of a file or folder that is moved. */
  readonly to?: string;
}

/** A change, and where the command that makes it ends in the text. */
interface PlacedChange {
  readonly change: FileChange;
  readonly end: number;
}

const PATH = "[\\w@./~+-]{1,300}";
/** `cat > file <<EOF` and `tee file <<EOF`. */
const HERE_DOCUMENT = new RegExp(
  `\\b(?:cat[ \\t]{1,9}>{1,2}|tee(?:[ \\t]-a)?)[ \\t]{0,9}(${PATH})[ \\t]{0,9}<<|<<-?[ \\t]?['"]?\\w{1,40}['"]?[ \\t]{0,9}>{1,2}[ \\t]{0,9}(${PATH})`,
  "g",
);

/** `sed -i 's/a/b/' file`, with its options and one quoted or plain script. */
const IN_PLACE = new RegExp(
  [
    `\\b(?:sed|perl)(?:[ \\t]{1,9}-[a-hj-zA-Z]{1,5}){0,3}[ \\t]{1,9}-[a-hj-zA-Z]{0,5}i[\\w.]{0,10}(?:[ \\t]{1,9}-\\w{1,5}){0,3}`,
    `(?:'[^']{1,2000}'|"[^"]{1,2000}"|[^\\s'"-]{1,300})`,
    `(${PATH})`,
  ].join("[ \\t]{1,9}"),
  "g",
);
/** A Python program in the command itself, and the files that it opens for writing. */
const INLINE_PYTHON = /\bpython3?[ \t]{1,9}(?:-c\b|-?[ \t]{0,9}<<)/;
const OPENED = new RegExp(`\\bopen\\([ \\t]{0,9}['"](${PATH})['"][ \\t]{0,9},[ \\t]{0,9}['"][wa]`, "g");

/** Returns the changes that a shell command makes to files, in the order of its commands. */
export function shellChanges(command: string): FileChange[] {
  const written = [...command.matchAll(HERE_DOCUMENT)].map(({ 1: before, 2: after, index }): PlacedChange => {
    return { change: { path: before ?? after ?? "", kind: "write" }, end: index };
  });
  return [...written, ...editsInPlace(command), ...placedFiles(command)]
    .sort((a, b) => a.end - b.end)
    .map(({ change }) => change);
}

function editsInPlace(command: string): PlacedChange[] {
  const opened = INLINE_PYTHON.test(command) ? [...command.matchAll(OPENED)] : [];
  return [...command.matchAll(IN_PLACE), ...opened].map(({ 1: path = "", index }) => ({
    change: { path, kind: "edit" },
    end: index,
  }));
}

const PREFIXES: ReadonlySet<string> = new Set(["git", "sudo", "do", "then", "else"]);
const PLACING = /\b(?:rm|mv|cp|mkdir|checkout|restore|(?:remove|move|copy)-item)[ \t]/i;
/** Commands of PowerShell, in lowercase. */
const POWERSHELL: ReadonlyMap<string, string> = new Map([
  ["remove-item", "rm"],
  ["move-item", "mv"],
  ["copy-item", "cp"],
]);
/** Programs, and subcommands of `git`, after which paths exist. */
const RESTORING: ReadonlySet<string> = new Set(["mkdir", "checkout", "restore"]);

/** Returns the changes of the commands that remove, move, copy or restore files or make folders. */
function placedFiles(command: string): PlacedChange[] {
  if (!PLACING.test(command)) return [];
  return simpleCommands(command).flatMap(({ words, folder, end }) => {
    const [program = "", ...rest] = words.slice(words.findIndex((word) => !PREFIXES.has(word)));
    const paths = rest.filter((word) => !word.startsWith("-"));
    return changesBy(POWERSHELL.get(program.toLowerCase()) ?? program, paths).map(({ path, kind, to }) => {
      const moved = to === undefined ? {} : { to: pathIn(folder, to) };
      return { change: { path: pathIn(folder, path), kind, ...moved }, end };
    });
  });
}

function changesBy(program: string, paths: readonly string[]): FileChange[] {
  if (program === "rm") return paths.filter(isName).map((path) => ({ path: plain(path), kind: "delete" }));
  if (RESTORING.has(program)) return paths.filter(isName).map((path) => ({ path: plain(path), kind: "restore" }));
  return program === "mv" || program === "cp" ? placedBy(program, paths.slice(0, -1), paths.at(-1) ?? "") : [];
}

/** Returns the changes of `mv` or `cp`. `folder/*` is all of a folder; the files of other patterns and of variables are unknown. */
function placedBy(program: "mv" | "cp", sources: readonly string[], target: string): FileChange[] {
  const isFolder = /(?:^|\/)\.{0,2}$/.test(target) || sources.length > 1;
  const moves = sources.flatMap((source): FileChange[] => {
    const path = plain(source.replace(/\/\*$/, ""));
    if (!isName(path)) return [];
    const isInside = isFolder && !source.endsWith("/*");
    const to = isInside ? `${plain(target)}/${path.slice(path.lastIndexOf("/") + 1)}` : plain(target);
    return program === "mv" ? [{ path, kind: "move", to }] : [{ path: to, kind: "write" }];
  });
  if (!isName(target.replace(/^\.{1,2}$/, "folder"))) return [];
  return moves.length > 0 ? moves : [{ path: plain(target), kind: "restore" }];
}

/** Removes the slashes at the end, and the current folder at the start. */
function plain(path: string): string {
  const short = path.replace(/^(?:\.\/)+(?=.)/, "");
  return short.length > 1 ? short.replace(/\/{1,9}$/, "") : short;
}

/** Whether a word is a path: no pattern, variable or quoted text. */
function isName(path: string): boolean {
  return /^[\w@./~+-]{1,300}$/.test(path) && /[^./]/.test(path);
}
