import type { Content } from "../content/content.ts";
import { actionOf, filesOf, toolSubject } from "../content/tool-action.ts";

/** Lines by their numbers, both ends included. */
export interface LineRange {
  readonly first: number;
  readonly last: number;
}

/** What a marker says of the text that it points to. */
export interface Pointer {
  /** Position of the message, counted from 1 as it will be sent. */
  readonly message: number;
  /** Index of the block in it. */
  readonly block: number;
  /** What the text is, as `describe` says. */
  readonly name: string;
  readonly lines: LineRange;
  /** The line numbers here, where they differ; null where there are none although the target has some. */
  readonly here?: LineRange | null;
  /** Set where it goes without saying what the text is: it is of the same kind as this one, or was named shortly before. */
  readonly isNamed: boolean;
  /** Set where a marker stands shortly before, so that this one can be brief. */
  readonly isContinued: boolean;
}

/** Stands where lines were that can be read further up. */
export function referenceMarker(pointer: Pointer): string {
  const lines = `${spellLines(pointer.lines)}${spellHere(pointer.here)}`;
  if (!pointer.isNamed) {
    return enclose(`See message ${numberOf(pointer)} for ${pointer.name} ${lines}, unchanged`);
  }
  return enclose(
    pointer.isContinued ? `see ${numberOf(pointer)} ${lines}` : `See message ${numberOf(pointer)} ${lines}, unchanged`,
  );
}

/** Stands where a whole read of a file was that can be read further up. */
export function repeatedReadMarker(pointer: Pick<Pointer, "message" | "block" | "name">): string {
  return enclose(
    `File content already provided above: see message ${numberOf(pointer)} for ${pointer.name}, unchanged`,
  );
}

/** Stands where a whole result was that the same operation gave before; `times` counts this one too. */
export function consolidatedMarker(times: number, pointer: Pick<Pointer, "message" | "block" | "name">): string {
  return enclose(
    `Consolidated ${times} operations: ${pointer.name} gave the same result as in message ${numberOf(pointer)}`,
  );
}

/** Stands where something was that a later message tells anew. */
export function obsoleteMarker(later: number, what: string): string {
  return enclose(`Obsolete: message #${later} has ${what}`);
}

function numberOf({ message, block }: Pick<Pointer, "message" | "block">): string {
  return block === 0 ? `#${message}` : `#${message}.${block + 1}`;
}

function spellLines({ first, last }: LineRange): string {
  return first === last ? `line ${first}` : `lines ${first}-${last}`;
}

function spellHere(here: LineRange | null | undefined): string {
  if (here === undefined) return "";
  return here === null ? " (here without numbers)" : ` (here ${here.first}-${here.last})`;
}

/** What a content is, in a few words: the tool, the parameter, the file or the command. */
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

/** The last two names of a path: enough to tell files apart, and short. */
export function shortPath(path: string): string {
  return clip(path.split(/[/\\]/).slice(-2).join("/"), MAX_PATH_CHARS);
}

/**
 * The program of a command and the plain words behind it, without a change of folder before it. Anything that may be somebody's own text
 * (quotes, values, variables) is left out, because markers are stored.
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

/** Takes out what would end a marker before its end. */
function clean(text: string): string {
  return text.replace(/[⟨⟩\s]+/g, " ").trim();
}

/** The seed's brackets; nothing that reads a conversation takes them for anything but words. */
function enclose(words: string): string {
  return `⟨ ${words} ⟩`;
}
