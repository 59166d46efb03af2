import { isJsonObject, type JsonValue } from "@longhaul/conversation";

const COLOR = new RegExp(`${String.fromCharCode(27)}\\[[\\d;?]{0,20}[A-Za-z]`, "g");

/** Returns the output of a command without colors, and without the object that Codex sends it in. */
export function plainOutput(text: string): string {
  return (outputIn(text) ?? text).replace(COLOR, "");
}

function outputIn(text: string): string | undefined {
  if (!text.startsWith('{"output":')) return undefined;
  try {
    const value: JsonValue = JSON.parse(text);
    return isJsonObject(value) && typeof value.output === "string" ? value.output : undefined;
  } catch {
    return undefined;
  }
}
