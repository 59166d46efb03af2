import { existsSync } from "node:fs";
import { isJsonObject, type JsonObject, LonghaulError } from "@longhaul/conversation";
import { parse, stringify } from "yaml";
import { styleOf } from "../terminal/output.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { readText, type UserFile, userFile, writeText } from "../terminal/user-file.ts";
import type { Imported } from "./draft.ts";
import { importEnv, isEnv } from "./import-env.ts";
import { importLitellm, isLitellm } from "./import-litellm.ts";
import { importPortkey, isPortkey } from "./import-portkey.ts";
import { importRouter, isRouter } from "./import-router.ts";

/** The flags of `longhaul import`. */
export interface ImportFlags {
  readonly out?: string;
}

/** Prints another tool's configuration as one of ours, or writes it; what could not be taken over goes to standard error. */
export function importFile(file: string, { out }: ImportFlags, terminal: Terminal): void {
  const { from, imported } = read(file, readText(userFile(file, terminal)));
  const text = `# Made from a configuration of ${from} by \`longhaul import\`. \`longhaul config check\` says what it comes to.\n${stringify(imported.config)}`;
  if (out === undefined) terminal.write(text);
  else {
    writeText(newFile(userFile(out, terminal)), text);
    terminal.write(`Written to ${out}. \`longhaul start --config ${out}\` starts with it.\n`);
  }
  terminal.writeError(describe(imported, from, terminal));
}

interface Source {
  readonly from: string;
  readonly recognizes: (value: JsonObject) => boolean;
  readonly convert: (value: JsonObject) => Imported;
}

const SOURCES: readonly Source[] = [
  { from: "claude-code-router", recognizes: isRouter, convert: importRouter },
  { from: "LiteLLM", recognizes: isLitellm, convert: importLitellm },
  { from: "Portkey", recognizes: isPortkey, convert: importPortkey },
];

function read(file: string, text: string): { readonly from: string; readonly imported: Imported } {
  const value = parsed(text);
  const source = isJsonObject(value) ? SOURCES.find(({ recognizes }) => recognizes(value)) : undefined;
  if (source !== undefined && isJsonObject(value)) return { from: source.from, imported: source.convert(value) };
  if (isEnv(text)) return { from: "claude-code-proxy", imported: importEnv(text) };
  throw new LonghaulError(
    "settings.invalid",
    `${file} is no configuration of claude-code-proxy (.env), claude-code-router (config.json), LiteLLM (YAML) or Portkey (JSON)`,
  );
}

/** JSON is YAML too; what is neither may be lines of variables. */
function parsed(text: string): unknown {
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}

function describe({ variables, notes }: Imported, from: string, terminal: Terminal): string {
  const { bold } = styleOf(terminal);
  const keys = variables.length === 0 ? "" : `${bold("Keys are not copied. Set")} ${variables.join(", ")}.\n`;
  if (notes.length === 0) return `${keys}Everything was taken over from ${from}.\n`;
  return `${keys}${bold("Not taken over:")}\n${notes.map((note) => `  - ${note}\n`).join("")}`;
}

function newFile(file: UserFile): UserFile {
  if (!existsSync(file.path)) return file;
  throw new LonghaulError("settings.invalid", `${file.name} is there already; name another file, or move it aside`);
}
