import type { Content, ToolUse } from "../content/content.ts";
import { fileChangesOf } from "../content/file-changes.ts";
import { simpleCommands } from "../content/shell-words.ts";
import { actionOf, commandOf } from "../content/tool-action.ts";
import { groupBy } from "../edits/lists.ts";
import { commitLine } from "../facts/failures.ts";
import { fullNames, isUndone, type ResultTexts, resultsIn, usesIn } from "../facts/files.ts";
import { isEdit, type LineRole, type LineRoles, rolesIn } from "./changed-lines.ts";
import { plainLine } from "./identifiers.ts";
import type { IsOutdated } from "./outdated.ts";

/** Why no change of an edit is in its file: the edit failed, or later changes replaced it. */
export type EditFate = "failed" | "replaced";

/** Shorter lines, such as brackets, are in every version of a file. */
const MIN_CHARACTERS = 6;

/** Finds the edits that failed, and those that later changes undid or replaced completely. */
export function editFates(contents: readonly Content[], isOutdated: IsOutdated): ReadonlyMap<ToolUse, EditFate> {
  const results = resultsIn(contents);
  const roles = rolesIn(contents);
  const parts = groupBy(
    contents.filter(({ level }) => level === "parameters"),
    ({ use }) => use,
  );
  const edits = usesIn(contents).filter((use) => isEdit(use) && fileChangesOf(use).length === 1);
  const restored = restoredEdits(contents, new Set(edits), results);
  const fates = new Map<ToolUse, EditFate>();
  for (const use of edits) {
    if (isUndone(use, results.get(use) ?? "")) fates.set(use, "failed");
    else if (restored.has(use) || isReplaced(linesOf(use, parts.get(use) ?? [], { roles, isOutdated })))
      fates.set(use, "replaced");
  }
  return fates;
}

/** A line that an edit changed, and whether later changes removed it. */
interface EditedLine {
  readonly role: LineRole;
  readonly isOld: boolean;
}

function linesOf(
  use: ToolUse,
  parts: readonly Content[],
  { roles, isOutdated }: { readonly roles: LineRoles; readonly isOutdated: IsOutdated },
): EditedLine[] {
  const file = fileChangesOf(use)[0]?.path;
  return parts.flatMap((content) =>
    content.text.split("\n").flatMap((line): EditedLine[] => {
      const role = roles.roleOf(content, line);
      const plain = plainLine(line);
      if (role === undefined || role === "context" || plain.length < MIN_CHARACTERS) return [];
      return [{ role, isOld: isOutdated(content, plain, file) }];
    }),
  );
}

/** Whether nothing is left of a change: all that it added is gone, or all that it only removed is back. */
function isReplaced(lines: readonly EditedLine[]): boolean {
  const added = lines.filter(({ role }) => role === "added");
  return added.length > 0 ? added.every(({ isOld }) => isOld) : lines.length > 0 && lines.every(({ isOld }) => !isOld);
}

/** Returns the edits since the latest commit that `git` took back: of single files, or of the whole working tree. */
function restoredEdits(
  contents: readonly Content[],
  edits: ReadonlySet<ToolUse>,
  results: ResultTexts,
): ReadonlySet<ToolUse> {
  const restored = new Set<ToolUse>();
  const nameOf = fullNames(contents);
  const open = new Map<string, ToolUse[]>();
  for (const use of usesIn(contents)) {
    const files = fileChangesOf(use).map(({ path }) => nameOf(path));
    if (edits.has(use)) for (const file of files) addTo(open, file, use);
    else if (commitLine(results.get(use) ?? "") !== undefined) open.clear();
    else for (const edit of takeOut(open, restoredFiles(use, { files, all: open.keys() }))) restored.add(edit);
  }
  return restored;
}

function takeOut(open: Map<string, ToolUse[]>, files: readonly string[]): ToolUse[] {
  const uses = files.flatMap((file) => open.get(file) ?? []);
  for (const file of files) open.delete(file);
  return uses;
}

/** Returns the files that a tool use restores, among those that it names and all that were edited. */
function restoredFiles(
  use: ToolUse,
  { files, all }: { readonly files: readonly string[]; readonly all: Iterable<string> },
): readonly string[] {
  const what = use.isError ? undefined : restores(use);
  if (what === "all") return [...all];
  return what === "files" ? files : [];
}

function addTo(open: Map<string, ToolUse[]>, file: string, use: ToolUse): void {
  const uses = open.get(file);
  if (uses === undefined) open.set(file, [use]);
  else uses.push(use);
}

const RESTORING = /\bgit\b[\s\S]{0,200}?\b(?:checkout|restore|reset)\b/;

/** Returns whether a command restores the files that it names, or all. */
function restores(use: ToolUse): "files" | "all" | undefined {
  const command = actionOf(use) === "command" ? commandOf(use) : "";
  if (!RESTORING.test(command)) return undefined;
  for (const { words } of simpleCommands(command)) {
    const [subcommand = "", ...rest] = words.slice(words.indexOf("git") + 1);
    if (!words.includes("git") || rest.includes("--staged")) continue;
    if (subcommand === "reset" && rest.includes("--hard")) return "all";
    if (subcommand === "checkout" || subcommand === "restore") return rest.includes(".") ? "all" : "files";
  }
  return undefined;
}
