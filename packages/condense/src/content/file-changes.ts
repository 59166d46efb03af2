import { isJsonArray, isJsonObject, type JsonValue } from "@longhaul/conversation";
import type { ToolUse } from "./content.ts";
import { actionOf, filesOf } from "./tool-action.ts";

/** A change that a tool call makes to a file. */
export interface FileChange {
  readonly path: string;
  readonly kind: "write" | "edit" | "delete";
}

/** Returns the files that a tool call writes, edits or deletes: by its name, by a patch in its input, or by a plain shell command. */
export function fileChangesOf(use: ToolUse): readonly FileChange[] {
  const found = known.get(use) ?? readChanges(use);
  known.set(use, found);
  return found;
}

/** Changes by tool use: every argument and the result of a call ask for them. */
const known = new WeakMap<ToolUse, readonly FileChange[]>();

function readChanges(use: ToolUse): FileChange[] {
  const action = actionOf(use);
  if (action === "write" || action === "edit") {
    const files = filesOf(use.input);
    if (files.length > 0) return files.map(({ path }) => ({ path, kind: action }));
  }
  const texts = stringsIn(use.input);
  const patched = texts.flatMap(patchedFiles);
  return patched.length > 0 || action !== "command" ? patched : texts.flatMap(shellChanges);
}

function stringsIn(value: JsonValue): string[] {
  if (typeof value === "string") return [value];
  if (isJsonArray(value)) return value.flatMap(stringsIn);
  return isJsonObject(value) ? Object.values(value).flatMap(stringsIn) : [];
}

/** File headers of the patch format that `apply_patch` tools read. */
const PATCH_FILE = /^\*\*\* (Add|Update|Delete) File: (\S.{0,300})$/gm;
const PATCH_KINDS: ReadonlyMap<string, FileChange["kind"]> = new Map([
  ["Add", "write"],
  ["Update", "edit"],
  ["Delete", "delete"],
]);

function patchedFiles(text: string): FileChange[] {
  if (!text.includes("*** ")) return [];
  return [...text.matchAll(PATCH_FILE)].map(([, verb = "", path = ""]) => ({
    path: path.trim(),
    kind: PATCH_KINDS.get(verb) ?? "edit",
  }));
}

const PATH = "[\\w@./~+-]{1,300}";
/** `cat > file <<EOF` and `tee file <<EOF`. */
const HERE_DOCUMENT = new RegExp(
  `\\b(?:cat[ \\t]{1,9}>{1,2}|tee(?:[ \\t]-a)?)[ \\t]{0,9}(${PATH})[ \\t]{0,9}<<|<<-?[ \\t]?['"]?\\w{1,40}['"]?[ \\t]{0,9}>{1,2}[ \\t]{0,9}(${PATH})`,
  "g",
);
const REMOVAL = new RegExp(`(?:^|[;&|]|\\n)[ \\t]{0,9}(?:git )?rm((?:[ \\t]{1,9}${PATH}){1,20})`, "g");

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

function editsInPlace(command: string): FileChange[] {
  const opened = INLINE_PYTHON.test(command) ? [...command.matchAll(OPENED)] : [];
  return [...command.matchAll(IN_PLACE), ...opened].map(([, path = ""]) => ({ path, kind: "edit" }));
}

function shellChanges(command: string): FileChange[] {
  const written = [...command.matchAll(HERE_DOCUMENT)].map(([, before, after]): FileChange => {
    return { path: before ?? after ?? "", kind: "write" };
  });
  const removed = [...command.matchAll(REMOVAL)]
    .flatMap(([, paths = ""]) => paths.trim().split(/[ \t]+/))
    .filter((word) => !word.startsWith("-"))
    .map((path): FileChange => ({ path, kind: "delete" }));
  return [...written, ...editsInPlace(command), ...removed];
}
