import type { JsonValue } from "@longhaul/conversation";
import { envValue } from "../env-value.ts";

/** Files with one `NAME=value` a line, edited in place. */

/** Gives a variable a value, in the line that it has already or at the end. */
export function setEnv(text: string, [name = ""]: readonly string[], value: JsonValue): string {
  const line = `${name}=${spell(String(value))}`;
  if (lineOf(name).test(text)) return text.replace(lineOf(name), () => line);
  return `${text}${text === "" || text.endsWith("\n") ? "" : "\n"}${line}\n`;
}

/** The value of a variable; nothing where it has none. */
export function getEnv(text: string, [name = ""]: readonly string[]): JsonValue | undefined {
  const written = lineOf(name).exec(text)?.[1];
  return written === undefined ? undefined : envValue(written);
}

/** Takes out a variable's line. */
export function removeEnv(text: string, [name = ""]: readonly string[]): string {
  return text.replace(new RegExp(`${lineOf(name).source}\\n?`, "m"), "");
}

function lineOf(name: string): RegExp {
  return new RegExp(`^(?:export[ \\t]+)?${name}[ \\t]*=(.*)$`, "m");
}

function spell(value: string): string {
  return /[\s#"'$]/.test(value) ? JSON.stringify(value) : value;
}
