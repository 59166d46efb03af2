import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** Where `npm start` builds the dashboard's files. */
const BUILT = fileURLToPath(new URL("../../../.cache/dashboard", import.meta.url));

/** The folder with the dashboard's files; nothing where they were not built. */
export function dashboardFolder(folder: string = BUILT): string | undefined {
  return existsSync(join(folder, "index.html")) ? folder : undefined;
}
