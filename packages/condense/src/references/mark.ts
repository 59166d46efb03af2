import type { Content, ToolUse } from "../content/content.ts";
import { actionOf, filesOf, toolSubject } from "../content/tool-action.ts";

/** Line numbers, both inclusive. */
export interface LineRange {
  readonly first: number;
  readonly last: number;
}

/** Target of a mark. */
export interface Pointer {
  /** Name of the text, from `describe`. */
  readonly name: string;
  readonly lines: LineRange;
  /** Line numbers here, if a tool printed others. */
  readonly here?: LineRange;
}

/** Marks lines that can be read earlier. */
export function referenceMark({ name, lines, here }: Pointer): string {
  const shifted = here === undefined ? "" : `, here ${here.first}-${here.last}`;
  return enclose(`same as ${name} ${formatLines(lines)} above${shifted}`);
}

/** Marks a whole file read that can be read earlier. */
export function repeatedReadMark(name: string): string {
  return enclose(`same content as read above: ${name}`);
}

/** Marks a whole result that the same operation returned before; `times` includes this one. */
export function consolidatedMark(times: number, name: string): string {
  return enclose(`same output as ${name} above, ${times} times now`);
}

/** Marks a text that a later message replaces. */
export function obsoleteMark(name: string): string {
  return enclose(`older ${name}; shown again below`);
}

function formatLines({ first, last }: LineRange): string {
  return first === last ? `line ${first}` : `lines ${first}-${last}`;
}

/** Names of a text for marks. */
export interface TextName {
  readonly short: string;
  /** A longer name, in case the short one belongs to another text. */
  readonly long: string;
}

/** Names a content: its file, its command, or its tool. */
export function describe({ level, role, use, at, text }: Content): TextName {
  if (level === "text" || use === undefined) return sameName(`the ${role}'s text${firstWords(text)}`);
  const action = actionOf(use);
  const about = subjectName(use, action);
  if (about === undefined) return sameName([use.name, ...parameterOf({ level, at })].map(clean).join(" "));
  if (action === "read" || (action === "write" && level === "parameters")) return about;
  if (action === "edit" || action === "write") return renamed(about, (name) => `the ${action} of ${name}`);
  if (action === "command") return level === "result" ? about : renamed(about, (name) => `the command ${name}`);
  return renamed(about, (name) => `${clean(use.name)} ${name}`);
}

const MOST_FIRST_WORDS = 4;
const FIRST_CHARACTERS = 200;
const SPOKEN_WORD = /^\p{L}[\p{L}'’-]{0,19}[,.:;!?]?$/u;
const SECRET = /pass|secret|token|key|credential/i;

/** Returns the first words of a text, by which a model can find it, up to a value or anything else that may be private. */
function firstWords(text: string): string {
  const words = text
    .slice(0, FIRST_CHARACTERS)
    .replace(/^[\s#*>"'`-]+/, "")
    .split(/\s+/, MOST_FIRST_WORDS);
  const isOther = words.findIndex((word) => !SPOKEN_WORD.test(word) || SECRET.test(word));
  const plain = isOther === -1 ? words : words.slice(0, isOther);
  return plain.length === 0 ? "" : ` '${plain.join(" ").replace(/[,.:;!?]$/, "")}...'`;
}

function parameterOf({ level, at }: Pick<Content, "level" | "at">): string[] {
  return level === "parameters" && at.path.length > 0 ? [String(at.path.at(-1))] : [];
}

function subjectName(use: ToolUse, action: ReturnType<typeof actionOf>): TextName | undefined {
  if (action === "command") {
    const words = shortCommand(toolSubject(use) ?? "");
    return words === "" ? undefined : sameName(`\`${words}\``);
  }
  const [file] = filesOf(use.input);
  const path = clean(file?.path ?? "");
  return path === "" ? undefined : { short: shortPath(path), long: path.slice(-MAX_LONG_PATH_CHARS) };
}

function sameName(name: string): TextName {
  return { short: name, long: name };
}

function renamed({ short, long }: TextName, rename: (name: string) => string): TextName {
  return { short: rename(short), long: rename(long) };
}

/** Returns the last two parts of a path: short, and mostly enough to distinguish files. */
export function shortPath(path: string): string {
  return clip(path.split(/[/\\]/).slice(-2).join("/"), MAX_PATH_CHARS);
}

/**
 * Returns a command's program and its plain arguments, without a leading `cd`. Anything that may be private (quotes, values, variables) is
 * omitted, because marks are stored.
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
const MAX_LONG_PATH_CHARS = 200;

function clip(text: string, maxChars: number): string {
  const characters = [...text];
  return characters.length <= maxChars ? text : `${characters.slice(0, maxChars).join("")}...`;
}

/** Removes characters that would end a mark early, and those that JSON writes in another way. */
function clean(text: string): string {
  return text
    .replace(/\\/g, "/")
    .replace(/[[\]"\p{Cc}\s]+/gu, " ")
    .trim();
}

function enclose(words: string): string {
  return `[${words}]`;
}
