import type { TextFile } from "../architecture/source-file.ts";

const NPM_ITSELF = new Set(["install", "ci", "pack", "view", "exec"]);

/** npm commands in a page's code that package.json has no script for. */
export function commandFaults(page: TextFile, scripts: Readonly<Record<string, string>>): string[] {
  const commands = [...codeIn(page.text).matchAll(/\bnpm (run )?([a-z][\w:-]*)/g)];
  return commands
    .filter(([, run, name = ""]) => !Object.hasOwn(scripts, name) && (run !== undefined || !NPM_ITSELF.has(name)))
    .map(([command]) => `${page.path} tells to run "${command}", which package.json does not have`);
}

function codeIn(markdown: string): string {
  return [...markdown.matchAll(/^```[\s\S]*?^```|`[^`\n]+`/gm)].map(([code]) => code).join("\n");
}
