import { isJsonObject, tryParseJson } from "@longhaul/conversation/advanced";

const ESCAPE = String.fromCharCode(27);
const BELL = String.fromCharCode(7);

/** Codes of a terminal: colors, styles and cursor movements; the start and the end of a link. */
const TERMINAL_CODE = new RegExp(
  `${ESCAPE}(?:\\[[\\d;?]{0,20}[A-Za-z]|\\]8;[^${ESCAPE}${BELL}\\n]{0,2000}(?:${BELL}|${ESCAPE}\\\\))`,
  "g",
);

/** Returns the output of a command without terminal codes, and without the object that Codex sends it in. */
export function plainOutput(text: string): string {
  const value = text.startsWith('{"output":') ? tryParseJson(text) : undefined;
  const output = value !== undefined && isJsonObject(value) ? value.output : undefined;
  return withoutTerminalCodes(typeof output === "string" ? output : text);
}

/** Removes the codes for colors, styles and cursor movements, which mean nothing to a model. */
export function withoutTerminalCodes(text: string): string {
  return text.includes(ESCAPE) ? text.replace(TERMINAL_CODE, "") : text;
}

/** Returns where terminal codes are in a text. */
export function terminalCodesIn(text: string): { readonly from: number; readonly to: number }[] {
  if (!text.includes(ESCAPE)) return [];
  return Array.from(text.matchAll(TERMINAL_CODE), ({ 0: code, index }) => ({ from: index, to: index + code.length }));
}
