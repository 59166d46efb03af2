import { isJsonArray, isJsonObject, type JsonValue } from "@longhaul/conversation/advanced";
import type { Content, ToolUse } from "./content.ts";
import { type FileChange, shellChanges } from "./shell-changes.ts";
import { actionOf, filesOf } from "./tool-action.ts";

/** Returns the files that a tool call writes, edits, moves or deletes: by its name, by a patch in its input, or by a plain shell command. */
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
const PATCH_FILE = /^\*\*\* (Add|Update|Delete) File: (\S.{0,300})$(?:\n\*\*\* Move to: (\S.{0,300})$)?/gm;
const PATCH_KINDS: ReadonlyMap<string, FileChange["kind"]> = new Map([
  ["Add", "write"],
  ["Update", "edit"],
  ["Delete", "delete"],
]);

function patchedFiles(text: string): FileChange[] {
  if (!text.includes("*** ")) return [];
  return [...text.matchAll(PATCH_FILE)].flatMap(([, verb = "", path = "", to]) => {
    const change: FileChange = { path: path.trim(), kind: PATCH_KINDS.get(verb) ?? "edit" };
    return to === undefined ? [change] : [change, { path: path.trim(), kind: "move", to: to.trim() }];
  });
}

/** Arguments with the text that an edit removes. */
const REMOVED_ARGUMENT =
  /(?<![A-Za-z])(?:old|search|find)(?![a-z])|(?:Old|Search|Find)(?![a-z])|(?:OLD|SEARCH|FIND)(?![A-Z])/;

/** Whether a content is an argument with the text that an edit removes. */
export function isRemovedText({ at }: Pick<Content, "at">): boolean {
  return REMOVED_ARGUMENT.test(String(at.path.findLast((key) => typeof key === "string") ?? ""));
}
