import type { Content } from "../content/content.ts";
import { actionOf, filesOf, toolSubject } from "../content/tool-action.ts";

/** Line numbers, both inclusive. */
export interface LineRange {
  readonly first: number;
  readonly last: number;
}

/** Target of a marker. */
export interface Pointer {
  /** Number of the message, counted from 1 as sent. */
  readonly message: number;
  readonly block: number;
  /** Name of the text, from `describe`. */
  readonly name: string;
  readonly lines: LineRange;
  /** Line numbers here, if they differ; null if there are none although the target has some. */
  readonly here?: LineRange | null;
  /** Set if the name can be omitted: the text is of the same kind as this one, or was named shortly before. */
  readonly isNamed: boolean;
  /** Set if another marker precedes it shortly before, so that this one can be brief. */
  readonly isContinued: boolean;
}

/** Marks lines that can be read earlier. */
export function referenceMarker(pointer: Pointer): string {
  const lines = `${formatLines(pointer.lines)}${formatHere(pointer.here)}`;
  if (!pointer.isNamed) {
    return enclose(`See message ${numberOf(pointer)} for ${pointer.name} ${lines}, unchanged`);
  }
  return enclose(
    pointer.isContinued ? `see ${numberOf(pointer)} ${lines}` : `See message ${numberOf(pointer)} ${lines}, unchanged`,
  );
}

/** Marks a whole file read that can be read earlier. */
export function repeatedReadMarker(pointer: Pick<Pointer, "message" | "block" | "name">): string {
  return enclose(
    `File content already provided above: see message ${numberOf(pointer)} for ${pointer.name}, unchanged`,
  );
}

/** Marks a whole result that the same operation returned before; `times` includes this one. */
export function consolidatedMarker(times: number, pointer: Pick<Pointer, "message" | "block" | "name">): string {
  return enclose(
    `Consolidated ${times} operations: ${pointer.name} gave the same result as in message ${numberOf(pointer)}`,
  );
}

/** Marks a text that a later message replaces. */
export function obsoleteMarker(later: number, what: string): string {
  return enclose(`Obsolete: message #${later} has ${what}`);
}

function numberOf({ message, block }: Pick<Pointer, "message" | "block">): string {
  return block === 0 ? `#${message}` : `#${message}.${block + 1}`;
}

function formatLines({ first, last }: LineRange): string {
  return first === last ? `line ${first}` : `lines ${first}-${last}`;
}

function formatHere(here: LineRange | null | undefined): string {
  if (here === undefined) return "";
  return here === null ? " (here without numbers)" : ` (here ${here.first}-${here.last})`;
}

/** Names a content: the tool, the parameter, the file or the command. */
export function describe({ level, role, use, at }: Content): string {
  if (level === "text" || use === undefined) return role === "user" ? "the user's text" : `the ${role}'s text`;
  const parameter = level === "parameters" && at.path.length > 0 ? [String(at.path.at(-1))] : [];
  const [file] = filesOf(use.input);
  const about = actionOf(use) === "command" ? shortCommand(toolSubject(use) ?? "") : shortPath(file?.path ?? "");
  return [use.name, ...parameter, about]
    .map(clean)
    .filter((word) => word !== "")
    .join(" ");
}

/** Returns the last two parts of a path: short, and enough to distinguish files. */
export function shortPath(path: string): string {
  return clip(path.split(/[/\\]/).slice(-2).join("/"), MAX_PATH_CHARS);
}

/**
 * Returns a command's program and its plain arguments, without a leading `cd`. Anything that may be private (quotes, values, variables) is
 * omitted, because markers are stored.
 */
export function shortCommand(command: string): string {
  const words = command.replace(/^(?:cd \S+ *(?:&&|;) *|\w+=\S* +)+/, "").split(/\s+/);
  const isOther = words.findIndex((word) => !PLAIN_WORD.test(word));
  const plain = words.slice(0, isOther === -1 ? MAX_COMMAND_WORDS : Math.min(isOther, MAX_COMMAND_WORDS));
  return plain.map((word) => clip(word, MAX_WORD_CHARS)).join(" ");
}

const PLAIN_WORD = /^-{0,2}[A-Za-z_./][A-Za-z_./-]*$/;
const MAX_COMMAND_WORDS = 3;
const MAX_WORD_CHARS = 20;
const MAX_PATH_CHARS = 60;

function clip(text: string, maxChars: number): string {
  const characters = [...text];
  return characters.length <= maxChars ? text : `${characters.slice(0, maxChars).join("")}…`;
}

/** Removes characters that would end a marker early. */
function clean(text: string): string {
  return text.replace(/[⟨⟩\s]+/g, " ").trim();
}

/** Nothing else that reads conversations gives these brackets a meaning. */
function enclose(words: string): string {
  return `⟨ ${words} ⟩`;
}
