import type { JsonValue } from "@longhaul/conversation";
import { type JsonNode, parseJsonText } from "./json-text.ts";

/** JSON, also with comments and trailing commas, edited in place: everything that is not named stays as it was written. */

/** Puts a value at a path; objects on the way are made where they are missing. */
export function setJson(text: string, path: readonly string[], value: JsonValue): string {
  const whole = text.trim() === "" ? "{}\n" : text;
  const { node, rest } = descend(parseJsonText(whole), path);
  if (rest.length === 0) return splice(whole, node, JSON.stringify(value, null, 2));
  const made = rest.slice(1).reduceRight<JsonValue>((inner, name) => ({ [name]: inner }), value);
  return insertMember(whole, { node, name: rest[0] ?? "", value: made });
}

/** What stands at a path; nothing where nothing does. */
export function getJson(text: string, path: readonly string[]): JsonValue | undefined {
  if (text.trim() === "") return undefined;
  const { node, rest } = descend(parseJsonText(text), path);
  return rest.length === 0 ? JSON.parse(plainJson(text.slice(node.start, node.end))) : undefined;
}

/** Takes out what stands at a path, and objects that are empty then. */
export function removeJson(text: string, path: readonly string[]): string {
  const steps = descend(parseJsonText(text.trim() === "" ? "{}" : text), path);
  if (steps.rest.length > 0) return text;
  const holder = steps.above.findLast(({ members = [] }) => members.length > 1) ?? steps.above[0];
  const member = holder?.members?.find(({ value }) => value === steps.node || steps.above.includes(value));
  if (holder?.members === undefined || member === undefined) return text;
  const index = holder.members.indexOf(member);
  const before = holder.members[index - 1];
  const after = holder.members[index + 1];
  if (before !== undefined) return text.slice(0, before.value.end) + text.slice(member.value.end);
  if (after !== undefined) return text.slice(0, member.start) + text.slice(after.start);
  return `${text.slice(0, holder.start)}{}${text.slice(holder.end)}`;
}

interface Descent {
  readonly node: JsonNode;
  /** Objects that were gone through. */
  readonly above: readonly JsonNode[];
  /** The part of the path that is not there. */
  readonly rest: readonly string[];
}

function descend(root: JsonNode, path: readonly string[]): Descent {
  let node = root;
  const above: JsonNode[] = [];
  for (const [index, name] of path.entries()) {
    const next = node.members?.findLast((member) => member.name === name);
    if (next === undefined) return { node, above, rest: path.slice(index) };
    above.push(node);
    node = next.value;
  }
  return { node, above, rest: [] };
}

function splice(text: string, { start, end }: JsonNode, replacement: string): string {
  return text.slice(0, start) + indented(replacement, indentAt(text, start)) + text.slice(end);
}

interface NewMember {
  readonly node: JsonNode;
  readonly name: string;
  readonly value: JsonValue;
}

const STEP = "  ";

/** What is no object gives way to one. */
function insertMember(text: string, { node, name, value }: NewMember): string {
  if (node.members === undefined) return splice(text, node, JSON.stringify({ [name]: value }, null, 2));
  const outer = indentAt(text, node.start);
  const last = node.members.at(-1);
  const indent = last === undefined ? outer + STEP : indentAt(text, last.start);
  const written = `${JSON.stringify(name)}: ${indented(JSON.stringify(value, null, 2), indent)}`;
  if (last !== undefined) return `${text.slice(0, last.value.end)},\n${indent}${written}${text.slice(last.value.end)}`;
  return `${text.slice(0, node.start)}{\n${indent}${written}\n${outer}}${text.slice(node.end)}`;
}

function indented(text: string, indent: string): string {
  return text.replaceAll("\n", `\n${indent}`);
}

function indentAt(text: string, position: number): string {
  const line = text.slice(text.lastIndexOf("\n", position - 1) + 1, position);
  return /^\s*/.exec(line)?.[0] ?? "";
}

/** Without comments and trailing commas; texts stay as they are. */
function plainJson(text: string): string {
  return text
    .replaceAll(/"(?:[^"\\]|\\.)*"|\/\/[^\n]*|\/\*.*?\*\//gs, (part) => (part.startsWith('"') ? part : " "))
    .replaceAll(/"(?:[^"\\]|\\.)*"|,(?=\s*[}\]])/g, (part) => (part === "," ? "" : part));
}
