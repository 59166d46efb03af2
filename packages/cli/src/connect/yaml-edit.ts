import { parseJsonText } from "@longhaul/conversation/advanced";
import { type Document, isMap, isNode, isSeq, type Node, parseDocument, stringify, type YAMLSeq } from "yaml";
import {
  type Editor,
  indentAt,
  insertLines,
  invalidAt,
  lineBreakOf,
  lineEnd,
  lineStart,
  type Path,
  type Span,
  splice,
} from "./editor.ts";

/** Edits one entry of a top-level list in a YAML file by the positions of its nodes. The path is `[list, "name=x"]`. */
export const YAML: Editor = {
  parse: (text) => open(text).toJS() ?? {},
  encode: (value) => JSON.stringify(value),
  sourceOf: (text, path) => {
    const { entry } = find(open(text), path);
    return entry && JSON.stringify(entry.toJSON());
  },
  put,
  remove,
};

function open(text: string): Document {
  const document = parseDocument(text, { prettyErrors: false });
  const [fault] = document.errors;
  if (fault === undefined) return document;
  const [what] = fault.message.split("; please use");
  throw invalidAt(text, fault.pos[0], `valid YAML: ${what}`);
}

function find(document: Document, [name = "", which = ""]: Path) {
  const list = document.get(name);
  if (!isSeq(list)) return {};
  const wanted = which.replace(/^name=/, "");
  const entry = list.items.find((item) => isMap(item) && item.get("name") === wanted);
  return { list, entry: isNode(entry) ? entry : undefined };
}

function put(text: string, path: Path, encoded: string): string {
  const { list, entry } = find(open(text), path);
  if (list === undefined) return insertLines(text, text.length, [`${path[0]}:`, ...blockLines(encoded, "  ")]);
  if (list.flow === true) return putFlow(text, entry ?? list, { encoded, isNew: entry === undefined });
  if (entry !== undefined) {
    const { start, end } = contentOf(text, entry);
    const [, ...others] = blockLines(encoded, indentAt(text, start));
    return splice(text, { start, end }, [blockLines(encoded, "")[0]?.slice(2), ...others].join(lineBreakOf(text)));
  }
  const last = list.items.findLast(isNode);
  if (last === undefined) return text;
  const { start, end } = contentOf(text, last);
  return insertLines(text, lineEnd(text, end), blockLines(encoded, indentAt(text, start)));
}

function putFlow(text: string, node: Node, { encoded, isNew }: { readonly encoded: string; readonly isNew: boolean }) {
  const span = contentOf(text, node);
  if (!isNew) return splice(text, span, encoded);
  const inside = text.slice(span.start + 1, span.end - 1).trimEnd();
  const comma = inside.trim() === "" || inside.endsWith(",") ? "" : ", ";
  return splice(text, span, `[${inside}${comma}${encoded}]`);
}

function remove(text: string, path: Path, keptDepth: number): string {
  const { list, entry } = find(open(text), path);
  if (list === undefined || entry === undefined) return text;
  const { start, end } = contentOf(text, entry);
  if (list.items.length === 1) return removeOnly(text, list, { path, keptDepth });
  if (list.flow !== true) return splice(text, { start: lineStart(text, start), end: lineEnd(text, end) }, "");
  const comma = /^\s*,\s*/.exec(text.slice(end))?.[0].length;
  const before = /,\s*$/.exec(text.slice(0, start))?.[0].length ?? 0;
  return splice(text, comma === undefined ? { start: start - before, end } : { start, end: end + comma }, "");
}

/** Removes the only entry: together with the list, or leaving an empty list. */
function removeOnly(
  text: string,
  list: YAMLSeq,
  { path, keptDepth }: { readonly path: Path; readonly keptDepth: number },
): string {
  const { start, end } = contentOf(text, list);
  const key = text.lastIndexOf(`${path[0]}`, start);
  if (keptDepth === 0) return splice(text, { start: lineStart(text, key), end: lineEnd(text, end) }, "");
  const colon = text.indexOf(":", key) + 1;
  return splice(text, { start: colon, end }, " []");
}

function contentOf(text: string, { range }: Node): Span {
  const [start = 0, end = 0] = range ?? [];
  return { start, end: start + text.slice(start, end).trimEnd().length };
}

function blockLines(encoded: string, indent: string): string[] {
  const lines = stringify(parseJsonText(encoded), { lineWidth: 0 }).trimEnd().split("\n");
  return lines.map((line, index) => `${indent}${index === 0 ? "- " : "  "}${line}`);
}
