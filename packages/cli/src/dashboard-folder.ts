import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** Where the dashboard's files are: beside the code in the published package, where `npm start` builds them in the repository. */
const PLACES = ["dashboard", "../../../.cache/dashboard"].map((path) => fileURLToPath(new URL(path, import.meta.url)));

/** The folder with the dashboard's files; nothing where they were not built. */
export function dashboardFolder(places: readonly string[] = PLACES): string | undefined {
  return places.find((folder) => existsSync(join(folder, "index.html")));
}
