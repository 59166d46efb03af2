import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
const { version } = JSON.parse(readFileSync(join(root, "node_modules/@sparticuz/chromium/package.json"), "utf8"));

/** The folder of the unpacked Chromium. */
export const CHROMIUM_FOLDER = join(root, ".cache", `chromium-${version}`);

/** Builds the pages, and unpacks Chromium. */
export function setup(): void {
  execFileSync(process.execPath, [join(root, "scripts/build-dashboard.ts")], { stdio: "inherit" });
  prepareChromium();
}

/** Unpacks Chromium once per checkout. */
export function prepareChromium(): void {
  if (!existsSync(join(CHROMIUM_FOLDER, "launch.json"))) unpackChromium();
}

/** Unpacks into a temporary folder and renames it, so that an interrupted run leaves no incomplete folder. */
function unpackChromium(): void {
  const folder = `${CHROMIUM_FOLDER}.${process.pid}`;
  mkdirSync(folder, { recursive: true });
  const program = fileURLToPath(new URL("unpack-chromium.ts", import.meta.url));
  const env = { ...process.env, TMPDIR: folder, AWS_LAMBDA_JS_RUNTIME: "nodejs24.x", LD_LIBRARY_PATH: "" };
  const line = execFileSync(process.execPath, [program], { env, encoding: "utf8" });
  // The package's configuration names the font folders of AWS Lambda. Without a font, Chromium crashes at the first letter.
  writeFileSync(join(folder, "fonts", "fonts.conf"), FONTS);
  writeFileSync(join(folder, "launch.json"), line.replaceAll(folder, CHROMIUM_FOLDER));
  rmSync(CHROMIUM_FOLDER, { recursive: true, force: true });
  renameSync(folder, CHROMIUM_FOLDER);
}

const FONTS = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir>${join(CHROMIUM_FOLDER, "fonts")}</dir><cachedir>${join(CHROMIUM_FOLDER, "fonts-cache")}</cachedir></fontconfig>
`;
