import { MAX_THRESHOLD_PERCENT, MIN_THRESHOLD_PERCENT, STRATEGIES } from "@longhaul/condense";
import { checkValue, type JsonValue, LonghaulError, table } from "@longhaul/conversation";
import { CONTEXT_MODES, type ContextOverrides, contextOverrides, REFERENCE_MODES } from "../schema/context-config.ts";

/** A setting that a request may choose for itself, by a header. */
export interface RequestHeader {
  /** In small letters. */
  readonly name: string;
  readonly setting: keyof ContextOverrides;
  /** What it takes, for people. */
  readonly takes: string;
  /** The setting's value; what is none stays as it is, so that the schema refuses it. Nothing where the header says nothing. */
  read(text: string): JsonValue | undefined;
}

/** Every such header. Those further down go before those above. */
export const REQUEST_HEADERS: readonly RequestHeader[] = [
  { name: "x-longhaul-mode", setting: "mode", takes: oneOf(CONTEXT_MODES), read: inSmallLetters },
  {
    name: "x-longhaul-strategy",
    setting: "strategy",
    takes: oneOf(STRATEGIES.map(({ id }) => id)),
    read: inSmallLetters,
  },
  {
    name: "x-longhaul-threshold",
    setting: "threshold",
    takes: `a number from ${MIN_THRESHOLD_PERCENT} to ${MAX_THRESHOLD_PERCENT}, or -1 for what is set`,
    read: readNumber,
  },
  { name: "x-longhaul-auto", setting: "auto", takes: "true or false", read: readSwitch },
  { name: "x-longhaul-references", setting: "references", takes: oneOf(REFERENCE_MODES), read: inSmallLetters },
  { name: "x-longhaul-wait-seconds", setting: "waitSeconds", takes: "a number from 0 on", read: readNumber },
  // Other gateways' clients send it with any text, and mean nothing by most of them.
  {
    name: "x-disable-compression",
    setting: "mode",
    takes: "true or 1",
    read: (text) => (/^(?:true|1)$/i.test(text) ? "off" : undefined),
  },
];

/** What a request's headers, by their names in small letters, choose for it; nothing where they choose nothing. A bad value throws `request.malformed`. */
export function requestContext(headers: Readonly<Record<string, string>>): ContextOverrides | undefined {
  const chosen = REQUEST_HEADERS.flatMap((header) => {
    const text = headers[header.name]?.trim();
    const value = text ? header.read(text) : undefined;
    return value === undefined ? [] : [{ header, text, value }];
  });
  if (chosen.length === 0) return undefined;
  const { data, error } = checkValue(
    contextOverrides,
    Object.fromEntries(chosen.map(({ header, value }) => [header.setting, value])),
  );
  if (error === undefined) return data;
  const bad = chosen.filter(({ header }) => error.issues.some(({ path }) => path[0] === header.setting));
  const faults = bad.map(({ header, text }) => `the header ${header.name} is "${text}"; give ${header.takes}`);
  throw new LonghaulError("request.malformed", faults.join("; "), { param: bad[0]?.header.name ?? "" });
}

function oneOf(values: readonly string[]): string {
  return `one of ${values.join(", ")}`;
}

function inSmallLetters(text: string): string {
  return text.toLowerCase();
}

function readNumber(text: string): JsonValue {
  const number = Number(text);
  return Number.isNaN(number) ? text : number;
}

function readSwitch(text: string): JsonValue {
  return SWITCHES[text.toLowerCase()] ?? text;
}

const SWITCHES: Readonly<Record<string, boolean>> = table({ true: true, 1: true, false: false, 0: false });
