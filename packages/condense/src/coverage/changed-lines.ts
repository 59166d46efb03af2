import type { Content, ToolUse } from "../content/content.ts";
import { isSigned, withoutSign } from "../content/diff-text.ts";
import { actionOf, filesOf } from "../content/tool-action.ts";
import { cacheLatest, groupBy } from "../edits/lists.ts";
import { isPatch } from "../facts/failures.ts";
import { changedText } from "../facts/files.ts";
import { plainLine } from "./identifiers.ts";

/** The role of a line in an edit: added, removed, or shown as the place of the change. */
export type LineRole = "added" | "removed" | "context";

/** Finds the roles of lines in edits. */
export interface LineRoles {
  /** Returns the role of a line of an edit's arguments or result; undefined for any other content. */
  roleOf(content: Content, line: string): LineRole | undefined;
  /** Returns how many different lines an edit adds and removes. */
  changesOf(use: ToolUse): number;
}

/** The lines that an edit adds and removes. Those in both are context. */
interface EditedSides {
  readonly added: ReadonlySet<string>;
  readonly removed: ReadonlySet<string>;
  readonly changes: number;
}

/** Reads the edits among contents. */
export function rolesIn(contents: readonly Content[]): LineRoles {
  const parts = groupBy(
    contents.filter(({ level, use }) => level === "parameters" && use !== undefined && isEdit(use)),
    ({ use }) => use,
  );
  const sidesOf = cacheLatest((use: ToolUse) => readSides(parts.get(use) ?? []));
  const hasSigns = cacheLatest(({ text }: Content) => isSigned(text));
  return {
    roleOf: (content, line) => {
      const { use, level, text } = content;
      if (use === undefined || level === "text" || !isEdit(use)) return undefined;
      if (level === "result") return "context";
      if (filesOf(use.input).some(({ path }) => path === text)) return undefined;
      return roleIn(sidesOf(use), plainLine(hasSigns(content) ? withoutSign(line) : line));
    },
    changesOf: (use) => sidesOf(use)?.changes ?? 0,
  };
}

/** Whether a tool use changes lines of a file. One that writes a whole file changes every line. */
export function isEdit(use: ToolUse): boolean {
  const found = known.get(use) ?? (actionOf(use) === "edit" || isPatch(use));
  known.set(use, found);
  return found;
}

/** Edits by tool use: every line asks for them. */
const known = new WeakMap<ToolUse, boolean>();

/** An edit that does not say what it replaces may repeat the whole file: nothing is known of its lines. */
function readSides(parts: readonly Content[]): EditedSides | undefined {
  const text = changedText(parts);
  if (text.removed.length === 0) return undefined;
  const [added, removed] = [linesOf(text.added), linesOf(text.removed)];
  const same = [...added].filter((line) => removed.has(line)).length;
  return { added, removed, changes: added.size + removed.size - 2 * same };
}

function linesOf(texts: readonly string[]): Set<string> {
  return new Set(texts.flatMap((text) => text.split("\n")).map(plainLine));
}

function roleIn(sides: EditedSides | undefined, plain: string): LineRole | undefined {
  if (sides === undefined) return undefined;
  const { added, removed } = sides;
  if (added.has(plain) === removed.has(plain)) return "context";
  return added.has(plain) ? "added" : "removed";
}
