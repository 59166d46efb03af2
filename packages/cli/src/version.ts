import { readFileSync, statSync } from "node:fs";
import { LonghaulError } from "@longhaul/conversation";

/** The manifest stands one folder above the code, in the repository as in the published package. */
const MANIFEST = new URL("../package.json", import.meta.url);

/** The version of this program, from its manifest. */
export function readVersion(manifest: URL = MANIFEST): string {
  const { version } = JSON.parse(readFileSync(manifest, "utf8"));
  if (typeof version === "string") return version;
  throw new LonghaulError("internal.bug", `${manifest.pathname} names no version; install Longhaul anew`);
}

/** When this program was put where it is, in milliseconds since 1970. */
export function installedAtMs(): number {
  return statSync(MANIFEST).mtimeMs;
}
