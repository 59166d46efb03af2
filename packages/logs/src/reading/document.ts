import { isJsonObject, type JsonObject, type JsonValue, tryParseJson } from "@longhaul/conversation/advanced";
import { isJsonList, listAt } from "./fields.ts";
import type { LogWarning } from "./reading.ts";

/** A log as JSON: one document, or one object per line. */
export interface LogDocument {
  /** The whole text as one JSON value, if it is one. */
  readonly value?: JsonValue;
  /** The objects on separate lines. A document that is one object counts as one line. */
  readonly lines: readonly LogLine[];
  /** Lines that are not JSON objects. */
  readonly warnings: readonly LogWarning[];
}

/** An object of a log with the number of its line or entry, counted from 1. */
export interface LogLine {
  readonly line: number;
  readonly value: JsonObject;
}

/** Parses a log's text as far as possible. Never throws. */
export function parseDocument(text: string): LogDocument {
  const body = text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
  const value = tryParseJson(body);
  if (value === undefined) return parseLines(body.split("\n"));
  return { value, lines: isJsonObject(value) ? [{ line: 1, value }] : [], warnings: [] };
}

/** Parses a log line by line, without its whole text in memory. */
export function parseLines(sources: Iterable<string>): LogDocument {
  const lines: LogLine[] = [];
  const warnings: LogWarning[] = [];
  let line = 0;
  for (const source of sources) {
    line += 1;
    if (source.trim() === "") continue;
    const value = tryParseJson(source);
    if (isJsonObject(value)) lines.push({ line, value });
    else warnings.push({ line, message: brokenLine(source, value) });
  }
  return { lines, warnings };
}

export interface MessageList {
  readonly body: JsonObject;
  readonly list: readonly JsonValue[];
}

/** Returns the list of messages of a JSON document: the document itself, or one of its fields. */
export function messageList({ value }: LogDocument, field = "messages"): MessageList {
  if (isJsonList(value)) return { body: {}, list: value };
  const body = isJsonObject(value) ? value : {};
  return { body, list: listAt(body, field) ?? [] };
}

const BYTE_ORDER_MARK = "\uFEFF";

function brokenLine(source: string, value: JsonValue | undefined): string {
  if (value !== undefined) return "the line was skipped: it is not a JSON object";
  return `the line of ${source.length} characters was skipped: it is not valid JSON`;
}
