import { isJsonObject, tryParseJson } from "@longhaul/conversation";

const COLOR = new RegExp(`${String.fromCharCode(27)}\\[[\\d;?]{0,20}[A-Za-z]`, "g");

/** Returns the output of a command without colors, and without the object that Codex sends it in. */
export function plainOutput(text: string): string {
  const value = text.startsWith('{"output":') ? tryParseJson(text) : undefined;
  const output = value !== undefined && isJsonObject(value) ? value.output : undefined;
  return (typeof output === "string" ? output : text).replace(COLOR, "");
}
