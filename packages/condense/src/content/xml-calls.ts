import type { JsonObject, JsonValue } from "@longhaul/conversation";
import { CONTAINERS, lastNonBlank, type Span, skipBlanks, trimSpan, VERBATIM, XML_TOOLS } from "./xml-syntax.ts";

/** A tool call written as XML in a text. */
export interface XmlCall extends Span {
  readonly name: string;
  readonly input: JsonObject;
  /** Spans of its parameter values, in reading order. */
  readonly values: readonly Span[];
}

/** A code fence or a tag. */
const MARK = /^[ \t]*(?:```|~~~)|<([a-z_]+)>/gm;

/** The search stops after this many tags that are not calls, which keeps it linear. */
const MAX_MISSES = 50;

/**
 * Finds the tool calls in a text. A call is a known tool's tag that contains only parameters; in a code fence or after a backtick it is an
 * example.
 */
export function callsIn(text: string): XmlCall[] {
  const calls: XmlCall[] = [];
  if (!text.includes("</")) return calls;
  const mark = new RegExp(MARK);
  let isFenced = false;
  let misses = 0;
  for (let found = mark.exec(text); found !== null && misses < MAX_MISSES; found = mark.exec(text)) {
    const name = found[1];
    if (name === undefined) isFenced = !isFenced;
    if (name === undefined || isFenced || !XML_TOOLS.has(name) || text[found.index - 1] === "`") continue;
    const call = callAt(text, found.index, name);
    if (call === undefined) misses++;
    else {
      calls.push(call);
      mark.lastIndex = call.to;
    }
  }
  return calls;
}

function callAt(text: string, from: number, name: string): XmlCall | undefined {
  const body = from + name.length + "<>".length;
  const closing = `</${name}>`;
  for (let end = text.indexOf(closing, body); end !== -1; end = text.indexOf(closing, end + 1)) {
    const last = lastNonBlank(text, end);
    if (last >= body && text[last] !== ">") continue;
    const parameters = readParameters(text, { from: body, to: end }, 0);
    return parameters && { name, from, to: end + closing.length, ...parameters };
  }
  return undefined;
}

interface Parameters {
  readonly input: JsonObject;
  readonly values: readonly Span[];
}

const OPENING = /<([A-Za-z_][\w-]*)>/y;

/** Deeper than the parameters of any tool. */
const MAX_DEPTH = 5;

/** Parses a span that contains only parameters. */
function readParameters(text: string, { from, to }: Span, depth: number): Parameters | undefined {
  const fields: [string, JsonValue][] = [];
  const values: Span[] = [];
  let at = skipBlanks(text, from);
  while (at < to) {
    const name = openingAt(text, at);
    if (name === undefined) return undefined;
    const start = at + name.length + "<>".length;
    const end = closingOf(text, name, { from: start, to });
    if (end === -1) return undefined;
    const value = readValue(text, name, { from: start, to: end, depth });
    fields.push([name, value.json]);
    values.push(...value.values);
    at = skipBlanks(text, end + name.length + "</>".length);
  }
  return { input: objectOf(fields), values };
}

function openingAt(text: string, at: number): string | undefined {
  OPENING.lastIndex = at;
  return OPENING.exec(text)?.[1];
}

/**
 * Returns where a parameter's closing tag starts, or -1. If the parameter may itself contain tags, this is the last closing tag; otherwise
 * the first one that is followed by another parameter or the end.
 */
function closingOf(text: string, name: string, { from, to }: Span): number {
  const closing = `</${name}>`;
  if (VERBATIM.has(name) && !holdsParameters(text, name, from)) {
    const last = text.lastIndexOf(closing, to - closing.length);
    return last >= from ? last : -1;
  }
  for (let end = text.indexOf(closing, from); end !== -1 && end < to; end = text.indexOf(closing, end + 1)) {
    const next = skipBlanks(text, end + closing.length);
    if (next >= to || openingAt(text, next) !== undefined) return end;
  }
  return -1;
}

function holdsParameters(text: string, name: string, from: number): boolean {
  if (!CONTAINERS.has(name)) return false;
  const inner = openingAt(text, skipBlanks(text, from));
  return name === "diff" ? inner === "content" : inner !== undefined;
}

interface Value {
  readonly json: JsonValue;
  readonly values: readonly Span[];
}

function readValue(text: string, name: string, { depth, ...span }: Span & { readonly depth: number }): Value {
  const isNested = depth < MAX_DEPTH && holdsParameters(text, name, span.from);
  const nested = isNested ? readParameters(text, span, depth + 1) : undefined;
  if (nested !== undefined) return { json: nested.input, values: nested.values };
  const value = trimSpan(text, span);
  if (value === undefined) return { json: "", values: [] };
  return { json: text.slice(value.from, value.to), values: [value] };
}

/** Repeated parameters become a list. */
function objectOf(fields: readonly (readonly [string, JsonValue])[]): JsonObject {
  const lists = new Map<string, JsonValue[]>();
  for (const [name, value] of fields) lists.set(name, [...(lists.get(name) ?? []), value]);
  return Object.fromEntries([...lists].map(([name, list]) => [name, list.length === 1 ? (list[0] ?? "") : list]));
}
