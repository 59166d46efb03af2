import { isJsonObject, type JsonObject, type JsonValue, parseJsonText } from "@longhaul/conversation";
import { isJsonList, listAt } from "./fields.ts";
import type { LogWarning } from "./reading.ts";

/** A log's text as JSON: one document, or one object per line. */
export interface LogDocument {
  /** The whole text as one JSON value; absent where it is not one. */
  readonly value?: JsonValue;
  /** The objects that stand on lines of their own. A document that is one object counts as one line. */
  readonly lines: readonly LogLine[];
  /** Lines that are no JSON objects. */
  readonly warnings: readonly LogWarning[];
}

/** One object of a log, with the number of its line (or of its entry), counted from 1. */
export interface LogLine {
  readonly line: number;
  readonly value: JsonObject;
}

/** Parses what can be parsed of a log's text; it never throws. */
export function parseDocument(text: string): LogDocument {
  const body = text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
  const value = parseJson(body);
  if (value === undefined) return parseLines(body.split("\n"));
  return { value, lines: isJsonObject(value) ? [{ line: 1, value }] : [], warnings: [] };
}

/** The same for a log whose lines come one by one, so that its text never has to be held as a whole. */
export function parseLines(sources: Iterable<string>): LogDocument {
  const lines: LogLine[] = [];
  const warnings: LogWarning[] = [];
  let line = 0;
  for (const source of sources) {
    line += 1;
    if (source.trim() === "") continue;
    const value = parseJson(source);
    if (isJsonObject(value)) lines.push({ line, value });
    else warnings.push({ line, message: brokenLine(source, value) });
  }
  return { lines, warnings };
}

/** A JSON document's list of messages, and what stands beside it. */
export interface MessageList {
  readonly body: JsonObject;
  readonly list: readonly JsonValue[];
}

/** The list of messages of a JSON document: the document itself, or one of its fields. */
export function messageList({ value }: LogDocument, field = "messages"): MessageList {
  if (isJsonList(value)) return { body: {}, list: value };
  const body = isJsonObject(value) ? value : {};
  return { body, list: listAt(body, field) ?? [] };
}

const BYTE_ORDER_MARK = "\uFEFF";

function brokenLine(source: string, value: JsonValue | undefined): string {
  if (value !== undefined) return "the line is no JSON object; it was skipped";
  return `the line of ${source.length} characters is not whole JSON; it was skipped`;
}

function parseJson(text: string): JsonValue | undefined {
  try {
    const value: JsonValue = parseJsonText(text);
    return value;
  } catch {
    return undefined;
  }
}
