import type { ToolUse } from "./content.ts";
import { actionOf, commandOf, filesOf } from "./tool-action.ts";

/** Programs that print a file, with their options, and the file. */
const PRINTING =
  /(?:^|[;&|(\n'"])[ \t]{0,9}(?:cat|head|tail|nl|less|bat|sed -n)(?:[ \t]{1,9}(?:-{1,2}[\w=-]{1,30}|\d{1,9}|['"]?[\d,$]{1,20}p['"]?)){0,4}[ \t]{1,9}([\w@~./+-]{1,300})/g;

/** Programs that search a file, with their options and the pattern, and the file. */
const SEARCHING =
  /(?:^|[;&|(\n])[ \t]{0,9}(?:rg|grep)(?:[ \t]{1,9}-{1,2}[\w=-]{1,30}){0,4}[ \t]{1,9}(?:"[^"\n]{1,200}"|'[^'\n]{1,200}'|[^\s"'|;&-]{1,100})[ \t]{1,9}([\w@~./+-]{0,300}\.\w{1,10})(?![\w/])/g;

/** Returns the files that a tool call reads: by its name, or by a shell command that prints or searches a file. */
export function filesReadBy(use: ToolUse): readonly string[] {
  const found = known.get(use) ?? readFiles(use);
  known.set(use, found);
  return found;
}

/** Files by tool use: every argument and the result of a call ask for them. */
const known = new WeakMap<ToolUse, readonly string[]>();

function readFiles(use: ToolUse): string[] {
  const action = actionOf(use);
  if (action === "read") return filesOf(use.input).map(({ path }) => path);
  if (action !== "command") return [];
  const command = commandOf(use);
  const found = [PRINTING, SEARCHING].flatMap((pattern) => [...command.matchAll(pattern)]);
  return found.map(([, path = ""]) => path).filter((path) => isFile(path) && !path.startsWith("/dev/"));
}

/** Whether a path looks like a file: its last part has a dot or an uppercase letter, as in `Makefile`. */
function isFile(path: string): boolean {
  return /[./]/.test(path) && /[.A-Z]\w/.test(path.slice(path.lastIndexOf("/") + 1));
}
