import { invalid } from "../terminal/invalid.ts";
import { type Editor, insertLines, lineEnd, lineStart, type Path, type Span, splice } from "./editor.ts";

/** Edits files of `NAME=value` lines as dotenv reads them, which Gemini CLI and Qwen Code use. */
export const ENV: Editor = {
  parse: (text) => Object.fromEntries(assignmentsIn(text).map(({ name, value }) => [name, value])),
  encode: (value) => encode(String(value)),
  sourceOf: (text, path) => {
    const found = find(text, path);
    return found && text.slice(found.start, found.end);
  },
  put: (text, path, encoded) => {
    const found = find(text, path);
    return found === undefined
      ? insertLines(text, text.length, [`${path[0]}=${encoded}`])
      : splice(text, found, encoded);
  },
  remove: (text, path) => {
    const found = find(text, path);
    return found === undefined
      ? text
      : splice(text, { start: lineStart(text, found.nameStart), end: lineEnd(text, found.end) }, "");
  },
};

interface Assignment extends Span {
  readonly name: string;
  readonly nameStart: number;
  readonly value: string;
}

// A quoted value may have several lines; a `#` ends an unquoted one, even right after a letter.
const ASSIGNMENT =
  /^[^\S\n]*(?:export[^\S\n]+)?([\w.-]+)(?:[^\S\n]*=[^\S\n]*|:[^\S\n]+)('(?:\\'|[^'])*'|"(?:\\"|[^"])*"|`(?:\\`|[^`])*`|[^#\r\n]*)[^\S\n]*(?:#.*)?$/dgm;

function assignmentsIn(text: string): Assignment[] {
  return [...text.matchAll(ASSIGNMENT)].map(({ 1: name = "", 2: written = "", indices }) => {
    const [nameStart = 0] = indices?.[1] ?? [];
    const [start = 0] = indices?.[2] ?? [];
    const trimmed = written.trimEnd();
    return { name, nameStart, start, end: start + trimmed.length, value: unquote(trimmed) };
  });
}

function unquote(written: string): string {
  const [, quote, inner = ""] = /^(['"`])([\s\S]*)\1$/.exec(written) ?? [];
  if (quote === undefined) return written;
  return quote === '"' ? inner.replaceAll("\\n", "\n").replaceAll("\\r", "\r") : inner;
}

function find(text: string, [name = ""]: Path): Assignment | undefined {
  const found = assignmentsIn(text).filter((assignment) => assignment.name === name);
  if (found.length < 2) return found[0];
  const lines = found.map(({ start }) => text.slice(0, start).split("\n").length).join(" and ");
  throw invalid(`${name} is set more than once (lines ${lines}); keep one of them, then try again`);
}

/** Picks quotes that keep the value: dotenv reads `\n` in double quotes as a line break, and quotes cannot be escaped. */
function encode(value: string): string {
  if (/^[^\s#"'`$\\]+$/.test(value)) return value;
  const quote = ["'", "`", '"'].find((each) => !value.includes(each) && !(each === '"' && value.includes("\\")));
  if (quote !== undefined && !/[\r\n]/.test(value)) return quote + value + quote;
  throw invalid("cannot write a value with line breaks or all three kinds of quotes");
}
