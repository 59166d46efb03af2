import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { isJsonObject, LonghaulError, parseJsonText } from "@longhaul/conversation";

const PUBLISHED = new URL("../package.json", import.meta.url);

/** One folder above the code in the published package, two above this file in the repository. */
const MANIFEST = existsSync(PUBLISHED) ? PUBLISHED : new URL("../../package.json", import.meta.url);

/** The version of this program, from its manifest. */
export function readVersion(manifest: URL = MANIFEST): string {
  const value = parseJsonText(readFileSync(manifest, "utf8"));
  if (isJsonObject(value) && typeof value.version === "string") return value.version;
  throw new LonghaulError("internal.bug", `${manifest.pathname} names no version; reinstall Longhaul`);
}

/** When this program was put where it is, in milliseconds since 1970. */
export function installedAtMs(): number {
  return statSync(MANIFEST).mtimeMs;
}

/** Where the dashboard's files are: beside the code in the published package, where `npm start` builds them in the repository. */
const PLACES = ["dashboard", "../../../../.cache/dashboard"].map((path) =>
  fileURLToPath(new URL(path, import.meta.url)),
);

/** The folder with the dashboard's files; nothing where they were not built. */
export function dashboardFolder(places: readonly string[] = PLACES): string | undefined {
  return places.find((folder) => existsSync(join(folder, "index.html")));
}
