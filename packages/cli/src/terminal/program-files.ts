import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { LonghaulError } from "@longhaul/conversation/error";
import { isJsonObject, parseJsonText } from "@longhaul/conversation/values";
import { isOnPath } from "./on-path.ts";
import type { Terminal } from "./terminal.ts";

const PUBLISHED = new URL("../package.json", import.meta.url);

/** The manifest is one folder above the code in the published package, and two above this file in the repository. */
const MANIFEST = existsSync(PUBLISHED) ? PUBLISHED : new URL("../../package.json", import.meta.url);

export function readVersion(manifest: URL = MANIFEST): string {
  const value = parseJsonText(readFileSync(manifest, "utf8"));
  if (isJsonObject(value) && typeof value.version === "string") return value.version;
  throw new LonghaulError("internal.bug", `${manifest.pathname} has no version; reinstall Longhaul`);
}

/** The file that starts the program: beside the code in the published package, in `bin` in the repository. */
const START_FILES = ["longhaul.js", "../../bin/longhaul.mjs"].map((path) =>
  fileURLToPath(new URL(path, import.meta.url)),
);

/** Returns the command that starts this program, with absolute paths. */
export function programCommand(): readonly string[] {
  return [process.execPath, ...START_FILES.filter((file) => existsSync(file)).slice(0, 1)];
}

/** The program of a clone, as the README names it. */
const CLONE_PROGRAM = fileURLToPath(new URL("../../../../node_modules/.bin/longhaul", import.meta.url));
const [, CLONE_START = ""] = START_FILES;

/** Returns the path of the program in a clone, which no shell finds by its name; `undefined` if it is installed otherwise. */
export function programPath(terminal: Pick<Terminal, "environment">): string | undefined {
  if (isOnPath("longhaul", terminal) || ![CLONE_START, CLONE_PROGRAM].every((file) => existsSync(file)))
    return undefined;
  const home = terminal.environment.HOME;
  return home && CLONE_PROGRAM.startsWith(`${home}/`) ? `~${CLONE_PROGRAM.slice(home.length)}` : CLONE_PROGRAM;
}

export function installedAtMs(): number {
  return statSync(MANIFEST).mtimeMs;
}

/** Folders of the dashboard: beside the code in the published package, or the output of `npm start` in the repository. */
const DASHBOARD_FOLDERS = ["dashboard", "../../../../.cache/dashboard"].map((path) =>
  fileURLToPath(new URL(path, import.meta.url)),
);

export function dashboardFolder(folders: readonly string[] = DASHBOARD_FOLDERS): string | undefined {
  return folders.find((folder) => existsSync(join(folder, "index.html")));
}
