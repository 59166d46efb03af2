import { posix } from "node:path";
import { apiPage, exportsOf } from "./api-page.ts";
import { publishedEntries, type WorkspaceManifest } from "./pack-manifest.ts";

/** The libraries that are published, each after what it needs. */
export const LIBRARIES = ["conversation", "models", "condense", "adapters"] as const;

/** The page of a library's exports, from its sources. */
export function libraryPage(name: string, read: (path: string) => string): string {
  const folder = `packages/${name}`;
  const manifest: WorkspaceManifest = JSON.parse(read(`${folder}/package.json`));
  const entries = publishedEntries(manifest).map(([entry, source]) => {
    return [posix.join(manifest.name, entry), exportsOf(posix.join(folder, source), read)] as const;
  });
  return apiPage(`What ${manifest.name} exports`, entries);
}
