import type { CondensationEvent, RequestEvent } from "../contract/events.ts";
import { readJson, readJsonObject } from "./read-json.ts";
import type { CondensationRow, RequestRow } from "./tables.ts";

/** Whether a request ended badly: before its answer began, or after. */
export function hasFailed({ status, errorCode }: RequestEvent): boolean {
  return status >= 400 || errorCode !== "";
}

/** Whether a prompt had outgrown the window of its model, as far as both are known. */
export function isOverWindow({ originalTokens, windowTokens }: RequestEvent): boolean {
  return windowTokens > 0 && originalTokens > windowTokens;
}

/** A request as it is kept. */
export function requestRowOf(event: RequestEvent): RequestRow {
  return {
    ...event,
    isGone: event.isGone ? 1 : 0,
    hasFailed: hasFailed(event) ? 1 : 0,
    warnings: JSON.stringify(event.warnings),
    anatomy: JSON.stringify(event.anatomy),
  };
}

/** A request as it was; warnings and anatomy that cannot be read are empty. */
export function requestOf({ hasFailed: _, ...row }: RequestRow): RequestEvent {
  const warnings = readJson(row.warnings);
  const anatomy = Object.entries(readJsonObject(row.anatomy));
  return {
    ...row,
    isGone: row.isGone === 1,
    warnings: Array.isArray(warnings) ? warnings.map(String) : [],
    anatomy: Object.fromEntries(anatomy.map(([part, tokens]) => [part, Number(tokens)])),
  };
}

/** A condensation as it is kept. */
export function condensationRowOf(event: CondensationEvent): CondensationRow {
  return { ...event, report: JSON.stringify(event.report) };
}

/** A condensation as it was; a report that cannot be read is empty. */
export function condensationOf(row: CondensationRow): CondensationEvent {
  return { ...row, report: readJsonObject(row.report) };
}
