import { parseSource, type SourceFile } from "./source-file.ts";

/** A repository of these files, path by path. */
export function plant(texts: Readonly<Record<string, string>>): SourceFile[] {
  return Object.entries(texts).map(([path, text]) => parseSource({ path, text }));
}
