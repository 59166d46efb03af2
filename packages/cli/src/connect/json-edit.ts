import { type LonghaulError, parseJsonText } from "@longhaul/conversation/advanced";
import { invalid } from "../terminal/invalid.ts";
import { type Editor, indentAt, invalidAt, lineBreakOf, type Path, type Span, splice } from "./editor.ts";

export const JSON_TEXT: Editor = {
  parse: (text) => (isBlank(text) ? {} : dataOf(open(text))),
  encode: (value) => JSON.stringify(value, null, 2),
  sourceOf: (text, path) => {
    if (isBlank(text)) return undefined;
    const { node, rest } = descend(open(text), path);
    return rest.length === 0 ? text.slice(node.start, node.end) : undefined;
  },
  put,
  remove,
};

interface JsonNode extends Span {
  readonly members?: readonly JsonMember[];
  readonly value?: unknown;
}

interface JsonMember {
  readonly name: string;
  readonly start: number;
  readonly node: JsonNode;
}

function isBlank(text: string): boolean {
  return text.trim() === "";
}

function dataOf({ members, value }: JsonNode): unknown {
  return members === undefined ? value : Object.fromEntries(members.map(({ name, node }) => [name, dataOf(node)]));
}

function put(text: string, path: Path, encoded: string): string {
  const whole = isBlank(text) ? `{}${text === "" ? "\n" : text}` : text;
  const { node, rest } = descend(open(whole), path);
  if (rest.length === 0) return splice(whole, node, fitted(whole, encoded, indentAt(whole, node.start)));
  const step = stepOf(whole);
  const made = rest
    .slice(1)
    .reduceRight((inner, name) => `{\n${step}${JSON.stringify(name)}: ${indented(inner, step)}\n}`, encoded);
  return insertMember(whole, node, `${JSON.stringify(rest[0])}: ${made}`);
}

function insertMember(text: string, { start, end, members = [] }: JsonNode, member: string): string {
  const last = members.at(-1);
  const lineBreak = lineBreakOf(text);
  if (last === undefined) {
    const outer = indentAt(text, start);
    const written = fitted(text, member, outer + stepOf(text));
    const inside = text.slice(start + 1, end - 1).trimEnd();
    return splice(
      text,
      { start: start + 1, end: end - 1 },
      `${inside}${lineBreak}${outer}${stepOf(text)}${written}${lineBreak}${outer}`,
    );
  }
  const indent = indentAt(text, last.start);
  const hasComma = text[skip(text, last.node.end)] === ",";
  if (!text.slice(start, last.node.end).includes("\n")) {
    const written = hasComma ? `${compact(member)},` : compact(member);
    const gap = /^\{\s/.test(text.slice(start)) || members.length > 1 ? " " : "";
    const at = hasComma ? skip(text, last.node.end) + 1 : last.node.end;
    return splice(text, { start: at, end: at }, `${hasComma ? "" : ","}${gap}${written}`);
  }
  const comma = hasComma ? skip(text, last.node.end) + 1 : last.node.end;
  const at = endOfRemarks(text, comma);
  const between = hasComma ? text.slice(comma, at) : `,${text.slice(comma, at)}`;
  const written = `${between}${lineBreak}${indent}${fitted(text, member, indent)}${hasComma ? "," : ""}`;
  return splice(text, { start: comma, end: at }, written);
}

function endOfRemarks(text: string, at: number): number {
  const found = /^(?:[ \t]*(?:\/\/[^\r\n]*|\/\*[^\r\n]*?\*\/))*/.exec(text.slice(at));
  return at + (found?.[0].length ?? 0);
}

function remove(text: string, path: Path, keptDepth: number): string {
  if (isBlank(text)) return text;
  const { node, above, rest } = descend(open(text), path);
  if (rest.length > 0) return text;
  const depth = above.findLastIndex(({ members = [] }, index) => members.length > 1 || index <= keptDepth);
  const holder = above[Math.max(depth, 0)];
  const gone = above[Math.max(depth, 0) + 1] ?? node;
  const members = holder?.members ?? [];
  const index = members.findIndex((member) => member.node === gone);
  const member = members[index];
  if (holder === undefined || member === undefined) return text;
  return removeMember(text, holder, index);
}

function removeMember(text: string, { start, end, members = [] }: JsonNode, index: number): string {
  const [before, member, after] = [members[index - 1], members[index], members[index + 1]];
  if (member === undefined) return text;
  if (after !== undefined) return splice(text, { start: member.start, end: after.start }, "");
  if (before === undefined) {
    const inside = text.slice(start + 1, member.start).trimEnd();
    return splice(
      text,
      { start: start + 1, end: end - 1 },
      inside === "" ? "" : `${inside}${lineBreakOf(text)}${indentAt(text, start)}`,
    );
  }
  const comma = skip(text, before.node.end);
  const hadComma = text[skip(text, member.node.end)] === ",";
  const kept = (hadComma ? "," : "") + text.slice(comma + 1, endOfRemarks(text, comma + 1));
  const tail = hadComma ? skip(text, member.node.end) + 1 : member.node.end;
  return splice(text, { start: comma, end: endOfRemarks(text, tail) }, kept);
}

/** Follows a path as far as it exists. Returns the node there, the objects above it, the outermost first, and the rest of the path. */
function descend(root: JsonNode, path: Path): { node: JsonNode; above: readonly JsonNode[]; rest: Path } {
  let node = root;
  const above: JsonNode[] = [];
  for (const [index, name] of path.entries()) {
    const found = node.members?.filter((member) => member.name === name) ?? [];
    const [next] = found;
    if (next === undefined) return { node, above, rest: path.slice(index) };
    if (found.length > 1) {
      const setting = path.slice(0, index + 1).join(".");
      throw invalid(`${setting} is set more than once; keep one of them, then try again`);
    }
    above.push(node);
    node = next.node;
  }
  return { node, above, rest: [] };
}

function stepOf(text: string): string {
  return /\n([ \t]+)\S/.exec(text)?.[1] ?? "  ";
}

function fitted(text: string, encoded: string, indent: string): string {
  return indented(encoded, indent).replaceAll(/\r?\n/g, lineBreakOf(text));
}

function indented(text: string, indent: string): string {
  return text.replaceAll("\n", `\n${indent}`);
}

/** Joins the lines of a member whose strings contain no line break. */
function compact(member: string): string {
  return member.replaceAll(/\n\s*/g, " ");
}

/** Finds the values of a text. Throws `settings.invalid` if it is not JSON, apart from comments and trailing commas. */
function open(text: string): JsonNode {
  const node = readValue(text, skip(text, 0));
  const end = skip(text, node.end);
  if (end < text.length) throw notJson(text, end);
  return node;
}

function skip(text: string, at: number): number {
  const blank = /(?:\s|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*/y;
  blank.lastIndex = at;
  return at + (blank.exec(text)?.[0].length ?? 0);
}

function readValue(text: string, start: number): JsonNode {
  if (text[start] === "{") return readObject(text, start);
  if (text[start] === "[") return readArray(text, start);
  return readScalar(text, start);
}

function readScalar(text: string, start: number): JsonNode {
  const scalar = /"(?:[^"\\\n]|\\.)*"|-?\d[\d.eE+-]*|true|false|null/y;
  scalar.lastIndex = start;
  const found = scalar.exec(text)?.[0];
  if (found === undefined) throw notJson(text, start);
  try {
    return { start, end: start + found.length, value: parseJsonText(found) };
  } catch {
    throw notJson(text, start);
  }
}

function readObject(text: string, start: number): JsonNode {
  const members: JsonMember[] = [];
  let at = skip(text, start + 1);
  while (text[at] !== "}") {
    const { end, value: name } = readScalar(text, at);
    const colon = skip(text, end);
    if (typeof name !== "string") throw notJson(text, at);
    if (text[colon] !== ":") throw notJson(text, colon);
    const node = readValue(text, skip(text, colon + 1));
    members.push({ name, start: at, node });
    at = afterEntry(text, node.end, "}");
  }
  return { start, end: at + 1, members };
}

function readArray(text: string, start: number): JsonNode {
  const value: unknown[] = [];
  let at = skip(text, start + 1);
  while (text[at] !== "]") {
    const node = readValue(text, at);
    value.push(dataOf(node));
    at = afterEntry(text, node.end, "]");
  }
  return { start, end: at + 1, value };
}

function afterEntry(text: string, end: number, bracket: string): number {
  const at = skip(text, end);
  if (text[at] === ",") return skip(text, at + 1);
  if (text[at] !== bracket) throw notJson(text, at);
  return at;
}

function notJson(text: string, at: number): LonghaulError {
  return invalidAt(
    text,
    at,
    at < text.length ? `valid JSON: unexpected ${JSON.stringify(text[at])}` : "valid JSON: unexpected end",
  );
}
