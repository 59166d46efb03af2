import { existsSync } from "node:fs";
import { isJsonObject, type JsonObject } from "@longhaul/conversation";
import { parse, stringify } from "yaml";
import { invalid } from "../terminal/invalid.ts";
import { styleOf } from "../terminal/output.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { readText, userFile, writeText } from "../terminal/user-file.ts";
import type { Imported } from "./draft.ts";
import { importEnv, isEnv } from "./import-env.ts";
import { importLitellm, isLitellm } from "./import-litellm.ts";
import { importPortkey, isPortkey } from "./import-portkey.ts";
import { importRouter, isRouter } from "./import-router.ts";

export interface ImportFlags {
  readonly out?: string;
}

/** Converts another tool's configuration and prints or writes it. Lists settings that were not converted on standard error. */
export function importFile(file: string, { out }: ImportFlags, terminal: Terminal): void {
  const { from, imported } = read(file, readText(userFile(file, terminal)));
  const text = `# Converted from ${from} by \`longhaul import\`. Validate it with \`longhaul config check\`.\n${stringify(imported.config)}`;
  if (out === undefined) terminal.write(text);
  else {
    const target = userFile(out, terminal);
    if (existsSync(target.path)) throw invalid(`${out} already exists; choose another file, or delete it first`);
    writeText(target, text);
    terminal.write(`Written to ${out}. Use it with \`longhaul start --config ${out}\`.\n`);
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
  throw invalid(
    `${file} is not a configuration of claude-code-proxy (.env), claude-code-router (config.json), LiteLLM (YAML) or Portkey (JSON)`,
  );
}

/** Parses YAML, which includes JSON. Returns `undefined` for anything else, such as an `.env` file. */
function parsed(text: string): unknown {
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}

function describe({ variables, notes }: Imported, from: string, terminal: Terminal): string {
  const { bold } = styleOf(terminal);
  const keys = variables.length === 0 ? "" : `${bold("API keys are not copied. Set")} ${variables.join(", ")}.\n`;
  if (notes.length === 0) return `${keys}All settings of ${from} were converted.\n`;
  return `${keys}${bold("Not converted:")}\n${notes.map((note) => `  - ${note}\n`).join("")}`;
}
