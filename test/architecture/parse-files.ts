import { parseSource, type SourceFile } from "./source-file.ts";

/** Parses files as if they were the repository. */
export function parseFiles(texts: Readonly<Record<string, string>>): SourceFile[] {
  return Object.entries(texts).map(([path, text]) => parseSource({ path, text }));
}
