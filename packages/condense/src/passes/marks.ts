import type { JsonValue } from "@longhaul/conversation";
import { formatCount } from "@longhaul/models/format";
import type { Content, ToolUse } from "../content/content.ts";
import { fileChangesOf } from "../content/file-changes.ts";
import { actionOf, filesOf, toolSubject } from "../content/tool-action.ts";
import { groupBy, sum } from "../edits/lists.ts";
import { readLineNumber } from "../references/line-format.ts";
import { shortCommand, shortPath } from "../references/mark.ts";

/** Marks a few lines left out of a text whose other lines are still there. It takes one token. */
export const OMISSION = "(...)";

/** Ends every mark that names what it replaces. */
export const LEFT_OUT = " left out]";

/** Marks text left out of a content: the amount, and the file or output. Marks are stored, so they name nothing that may be private. */
export function leftOutMark(content: Content, missing: string): string {
  const lines = numberedLines(missing);
  const source = content.level === "result" ? sourceOf(content.use) : "";
  if (lines !== undefined && content.level === "result") return `[lines ${lines}${source}${LEFT_OUT}`;
  return `[${amountOf(missing)}${source}${LEFT_OUT}`;
}

/** Marks a whole argument of a call: the arguments of a call are never cut inside. */
export function argumentMark(content: Pick<Content, "text" | "use">): string {
  return `[${amountOf(content.text)}${writtenFiles(content)}${LEFT_OUT}`;
}

/** Files named in the mark of a shell command. */
const MAX_FILES = 3;

/** Names the files that a shell command writes: they are in no other argument of its call. */
export function writtenFiles({ text, use }: Pick<Content, "text" | "use">): string {
  if (use === undefined || actionOf(use) !== "command") return "";
  const paths = fileChangesOf({ ...use, input: text }).flatMap(({ kind, path }) =>
    kind === "write" || kind === "edit" ? [plain(path)] : [],
  );
  return paths.length === 0 ? "" : ` writing ${[...new Set(paths)].slice(0, MAX_FILES).join(", ")}`;
}

/** Describes the length of a text. Lines that an earlier mark in it replaced count too. */
export function amountOf(text: string): string {
  const marks = Array.from(text.matchAll(MARK), ([, first, last, count, unit]) => ({
    count: count === undefined ? Number(last) - Number(first) + 1 : Number(count.replaceAll(",", "")),
    isLines: unit !== "character",
  }));
  const marked = (isLines: boolean) => sum(marks.filter((mark) => mark.isLines === isLines).map(({ count }) => count));
  const bare = text.replaceAll(MARK, "");
  const lines = bare.replace(/^\n|\n$/g, "").split("\n").length + marked(true);
  return lines > 1 ? countOf(lines, "line") : countOf(bare.trim().length + marked(false), "character");
}

/** A mark with the line ends around it. */
const MARK = /\n?\[(?:lines (\d+)-(\d+)|([\d,]+) (line|character)s?)[^[\]\n]* left out\]\n?/g;

/** Formats `1 line` or `1,210 lines`. */
export function countOf(count: number, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? "" : "s"}`;
}

/** Returns the range of the lines if the tool numbered them. */
function numberedLines(missing: string): string | undefined {
  const lines = missing.split("\n").filter((line) => line.trim() !== "");
  const first = readLineNumber(lines[0] ?? "")?.value;
  const last = readLineNumber(lines.at(-1) ?? "")?.value;
  const isInOrder = first !== undefined && last !== undefined && first < last && last - first < 2 * lines.length;
  return isInOrder ? `${first}-${last}` : undefined;
}

function sourceOf(use: ToolUse | undefined): string {
  // A client's own additions have no call.
  if (use === undefined || use.callMessage === -1) return "";
  const action = actionOf(use);
  if (action === "command") {
    const command = shortCommand(toolSubject(use) ?? "");
    return command === "" ? " of output" : ` of \`${plain(command)}\` output`;
  }
  const path = pathOf(use.input);
  if (path !== "" && (action === "read" || action === "write" || action === "edit")) return ` of ${path}`;
  return use.name === "" ? "" : ` of ${plain(use.name)} output`;
}

function pathOf(input: JsonValue): string {
  return plain(shortPath(filesOf(input)[0]?.path ?? ""));
}

/** Removes characters that would end a mark early. */
function plain(text: string): string {
  return text.replace(/[[\]`\s]+/g, " ").trim();
}

const VERBS: ReadonlyMap<string, string> = new Map([
  ["read", "read"],
  ["write", "wrote"],
  ["edit", "edited"],
  ["list", "listed"],
  ["search", "searched"],
  ["command", "ran"],
]);

/** Describes tool uses with at most this many names: `read src/a.ts, src/b.ts; ran npm test`. */
export function describeUses(uses: readonly ToolUse[], maxNames: number): string {
  const named = new Map<string, string>();
  for (const use of uses) {
    const verb = VERBS.get(actionOf(use)) ?? "used";
    const name = nameOf(use, verb);
    if (name !== "") named.set(`${verb} ${name}`, verb);
  }
  const shown = [...named].slice(0, maxNames);
  const phrases = [...groupBy(shown, ([, verb]) => verb)].map(
    ([verb, group]) => `${verb} ${group.map(([words]) => words.slice(verb.length + 1)).join(", ")}`,
  );
  const others = named.size - shown.length;
  return [...phrases, ...(others > 0 && shown.length > 0 ? [`${others} more`] : [])].join("; ");
}

function nameOf(use: ToolUse, verb: string): string {
  if (verb === "ran") return plain(shortCommand(toolSubject(use) ?? ""));
  const path = pathOf(use.input);
  return path === "" && verb === "used" ? plain(use.name) : path;
}
