import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Copies declarations to where a library's built files are. */
export function copyTypes(from: string, to: string): void {
  for (const path of readdirSync(from, { recursive: true, encoding: "utf8" })) {
    if (!path.endsWith(".d.ts")) continue;
    mkdirSync(dirname(join(to, path)), { recursive: true });
    writeFileSync(join(to, path), builtSpecifiers(readFileSync(join(from, path), "utf8")));
  }
}

/** Declarations name sources; published, they stand beside what was built of them. */
export function builtSpecifiers(text: string): string {
  return text.replaceAll(/(from |import\()"(\.{1,2}\/[^"]+)\.ts"/g, '$1"$2.js"');
}
