import type { Content, ToolUse } from "../content/content.ts";
import { actionOf, type FileLines, filesOf, toolSubject } from "../content/tool-action.ts";
import type { Pass } from "../contract/strategy.ts";
import type { View } from "../contract/view.ts";
import type { Edit, Splice } from "../edits/edit.ts";
import { positionKey, type TextPosition } from "../edits/text-position.ts";
import { obsoleteMark, shortCommand, shortPath } from "../references/mark.ts";
import { isWorth } from "../references/plan.ts";
import { withoutUserText } from "./references.ts";

/**
 * Removes content that a later message supersedes: a read that a later one covers or that an edit made stale, all environment snapshots but
 * the last, all runs of a command but the last. This is lossy: the earlier state of the file or command is gone. Errors are kept.
 */
export const obsoletePass: Pass = {
  id: "obsolete-state",
  name: "Obsolete state",
  plan: planObsolete,
};

function planObsolete(view: View): Edit[] {
  const isFree = withoutUserText(view.contents().contents);
  const later = nothingLater();
  const edits = new Map<string, { kind: "splice"; at: TextPosition; splices: Splice[]; reason: "obsolete" }>();
  for (const content of view.contents().contents.toReversed()) {
    const { use, at, from, to } = content;
    if (use === undefined || view.isMade(at.message)) continue;
    const mark = isFree(content) ? markFor(content, use, later) : undefined;
    if (mark === undefined || !isWorth({ text: content.text, mark }, view.counter)) {
      remember(content, use, later);
      continue;
    }
    const edit = edits.get(positionKey(at)) ?? { kind: "splice", at, splices: [], reason: "obsolete" };
    edit.splices.unshift({ from, to, text: mark });
    edits.set(positionKey(at), edit);
  }
  return [...edits.values()].reverse();
}

/** Lines of a file that a message shows. */
interface ShownLines extends FileLines {
  readonly chars: number;
}

/** Later content that is kept, latest first. */
interface Later {
  readonly shown: Map<string, ShownLines[]>;
  /** Content shown after the latest edit that was followed by any. */
  readonly afterEdit: Map<string, readonly ShownLines[]>;
  readonly commands: Set<string>;
  hasEnvironment: boolean;
}

function nothingLater(): Later {
  return { shown: new Map(), afterEdit: new Map(), commands: new Set(), hasEnvironment: false };
}

const ENVIRONMENT = "environment_details";

function remember(content: Content, use: ToolUse, later: Later): void {
  const { level } = content;
  if (level === "result" && !use.isError) rememberResult(content, use, later);
  if (level !== "parameters") return;
  const action = actionOf(use);
  if (action === "write" && content.text.includes("\n")) rememberLines(content, use, later);
  for (const { path } of action === "edit" ? filesOf(use.input) : []) {
    later.afterEdit.set(path, later.shown.get(path) ?? []);
  }
}

function rememberResult(content: Content, use: ToolUse, later: Later): void {
  const action = actionOf(use);
  if (use.name === ENVIRONMENT) later.hasEnvironment = true;
  if (action === "command") later.commands.add(commandKey(use));
  if (action === "read") rememberLines(content, use, later);
}

function rememberLines({ text }: Content, use: ToolUse, { shown }: Later): void {
  for (const file of filesOf(use.input)) {
    const known = shown.get(file.path) ?? [];
    shown.set(file.path, [...known, { ...file, chars: text.length }]);
  }
}

function commandKey(use: ToolUse): string {
  return `${use.name} ${toolSubject(use) ?? ""}`;
}

/** Returns the mark for a superseded content, or undefined. */
function markFor(content: Content, use: ToolUse, later: Later): string | undefined {
  if (content.level !== "result" || use.isError) return undefined;
  if (use.name === ENVIRONMENT) return later.hasEnvironment ? obsoleteMark("environment") : undefined;
  const action = actionOf(use);
  if (action === "command") {
    const words = shortCommand(toolSubject(use) ?? "");
    return later.commands.has(commandKey(use)) ? obsoleteMark(`output of \`${words}\``) : undefined;
  }
  const files = action === "read" ? filesOf(use.input) : [];
  if (files.length === 0 || !files.every((file) => isShownAgain(file, content, later))) return undefined;
  return obsoleteMark(`version of ${files.map(({ path }) => shortPath(path)).join(", ")}`);
}

/** Whether a later message shows the lines of a read again. */
function isShownAgain(file: FileLines, { text }: Content, { shown, afterEdit }: Later): boolean {
  const isCovered = shown.get(file.path)?.some((other) => covers(other, file) && other.chars >= text.length / 2);
  if (isCovered === true) return true;
  const read = { ...file, to: Math.min(file.to, file.from + text.split("\n").length - 1) };
  return afterEdit.get(file.path)?.some((other) => coversHalf(other, read)) === true;
}

function covers(other: FileLines, { from, to }: FileLines): boolean {
  return other.from <= from && other.to >= to;
}

/** A stale read is worth less, so half of its lines shown after the edit are enough to remove it. */
function coversHalf(other: FileLines, { from, to }: FileLines): boolean {
  const shared = Math.min(other.to, to) - Math.max(other.from, from) + 1;
  return 2 * shared >= to - from + 1;
}
