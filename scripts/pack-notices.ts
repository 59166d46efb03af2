import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The licences of all packages that a bundle was made of, as their authors want them to go with it. Empty where there are none. */
export function noticesOf(modules: readonly string[]): string {
  const folders = new Set(modules.flatMap((path) => folderOfPackage(path) ?? []));
  return [...folders]
    .sort()
    .map(noticeOf)
    .join(`\n${"-".repeat(80)}\n\n`);
}

/** The folder of the package that a file belongs to; nothing where it is one of ours. */
export function folderOfPackage(path: string): string | undefined {
  return /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(path.replaceAll("\\", "/"))?.[0];
}

function noticeOf(folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  const text = file === undefined ? "" : `\n${readFileSync(join(folder, file), "utf8").trim()}\n`;
  return `${name} ${version} (${license})\n${text}`;
}
