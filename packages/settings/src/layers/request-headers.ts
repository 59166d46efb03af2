import { MAX_THRESHOLD_PERCENT, MIN_THRESHOLD_PERCENT, STRATEGIES } from "@longhaul/condense/advanced";
import { checkValue, type JsonValue, LonghaulError } from "@longhaul/conversation/advanced";
import { BOOLEAN_TEXTS, readBoolean, readNumber } from "../environment/environment-overrides.ts";
import { CONTEXT_MODES, type ContextOverrides, contextOverrides, REFERENCE_MODES } from "../schema/context-config.ts";

/** A header that overrides a context setting for one request. */
export interface RequestHeader {
  /** In lower case. */
  readonly name: string;
  readonly setting: keyof ContextOverrides;
  /** Describes valid values in error messages and docs. */
  readonly expected: string;
  /** Returns the setting's value. An invalid text is returned unchanged, so that the schema rejects it; undefined overrides nothing. */
  read(text: string): JsonValue | undefined;
}

/** All request headers. Later ones override earlier ones. */
export const REQUEST_HEADERS: readonly RequestHeader[] = [
  { name: "x-longhaul-mode", setting: "mode", expected: oneOf(CONTEXT_MODES), read: lowerCase },
  {
    name: "x-longhaul-strategy",
    setting: "strategy",
    get expected() {
      return oneOf(STRATEGIES.map(({ id }) => id));
    },
    read: lowerCase,
  },
  {
    name: "x-longhaul-threshold",
    setting: "threshold",
    expected: `a number from ${MIN_THRESHOLD_PERCENT} to ${MAX_THRESHOLD_PERCENT}, or -1 for the configured value`,
    read: readNumber,
  },
  { name: "x-longhaul-auto", setting: "auto", expected: BOOLEAN_TEXTS, read: readBoolean },
  { name: "x-longhaul-references", setting: "references", expected: oneOf(REFERENCE_MODES), read: lowerCase },
  { name: "x-longhaul-wait-seconds", setting: "waitSeconds", expected: "a number of at least 0", read: readNumber },
  {
    name: "x-longhaul-pins",
    setting: "pins",
    expected: "hashes of messages, separated by commas",
    read: commaSeparated,
  },
  { name: "x-disable-compression", setting: "mode", expected: BOOLEAN_TEXTS, read: readDisabled },
];

/** Returns the overrides in a request's headers, by lower-case name, or undefined if there are none. An invalid value throws `request.malformed`. */
export function requestContext(headers: Readonly<Record<string, string>>): ContextOverrides | undefined {
  const chosen = REQUEST_HEADERS.flatMap((header) => {
    const text = headers[header.name]?.trim();
    const value = text ? header.read(text) : undefined;
    return value === undefined ? [] : [{ header, text, value }];
  });
  const bad = chosen.filter(({ header, value }) => !checkValue(contextOverrides, { [header.setting]: value }).success);
  if (bad.length > 0) {
    const faults = bad.map(({ header, text }) => `the header ${header.name} is "${text}"; use ${header.expected}`);
    throw new LonghaulError("request.malformed", faults.join("; "), { param: bad[0]?.header.name ?? "" });
  }
  const values = Object.fromEntries(chosen.map(({ header, value }) => [header.setting, value]));
  return chosen.length === 0 ? undefined : checkValue(contextOverrides, values).data;
}

/** Reads a header of other gateways. Any other text becomes null, which the schema rejects. */
function readDisabled(text: string): JsonValue | undefined {
  const value = readBoolean(text);
  if (value === true) return "off";
  return value === false ? undefined : null;
}

function commaSeparated(text: string): string[] {
  return text.split(",").map((item) => item.trim());
}

function oneOf(values: readonly string[]): string {
  return `one of ${values.join(", ")}`;
}

function lowerCase(text: string): string {
  return text.toLowerCase();
}
