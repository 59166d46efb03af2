// Builds the npm packages: the program, and the libraries with their types, one tarball each, in .cache/pack or the given folder.
import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { LIBRARIES } from "./api-page.ts";
import { bundle } from "./pack-bundle.ts";
import { copyPages, copyTypes, licensesOf, startFile } from "./pack-files.ts";
import {
  builtName,
  installLine,
  libraryManifest,
  programManifest,
  publishedEntries,
  siblingTarballs,
  type WorkspaceManifest,
} from "./pack-manifest.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const target = resolve(process.argv[2] ?? join(root, ".cache", "pack"));

/** Packages that are bundled into a library: only two vocabularies of this one are needed, a tenth of it. */
const BUNDLED: Readonly<Record<string, readonly string[]>> = { models: ["tiktoken"] };

rmSync(target, { recursive: true, force: true });
mkdirSync(target, { recursive: true });
run("tsc", ["-b", ...LIBRARIES.map((name) => `packages/${name}`)]);
await import("./build-dashboard.ts");
const staged = [await stageProgram()];
for (const name of LIBRARIES) staged.push(await stageLibrary(name));
for (const folder of staged) console.log(describeTarball(folder));

async function stageProgram(): Promise<string> {
  const folder = stageFor("longhaul");
  const dist = join(folder, "dist");
  const input = { main: join(root, "packages/cli/src/main.ts") };
  const modules = await bundle({ input, folder: dist, isExternal: (name) => name === "pg-native" });
  const manifest = readManifest("cli");
  writeFileSync(join(dist, "longhaul.js"), startFile(manifest.engines.node ?? ""));
  chmodSync(join(dist, "longhaul.js"), 0o755);
  cpSync(join(root, ".cache/dashboard"), join(dist, "dashboard"), { recursive: true });
  rmSync(join(dist, "dashboard", ".built"));
  cpSync(join(root, "packages/settings/longhaul.schema.json"), join(folder, "longhaul.schema.json"));
  finish(folder, { manifest: programManifest(manifest), modules: [...modules, ...modulesOfDashboard()] });
  copyPages({ readme: join(root, "README.md"), docs: join(root, "docs") }, folder);
  return folder;
}

async function stageLibrary(name: string): Promise<string> {
  const bundled = BUNDLED[name] ?? [];
  const folder = stageFor(name);
  const manifest = readManifest(name);
  const sources = publishedEntries(manifest).map(([, source]) => source);
  const modules = await bundle({
    input: Object.fromEntries(sources.map((source) => [builtName(source), join(root, "packages", name, source)])),
    folder: join(folder, "dist"),
    isExternal: (imported) => !bundled.some((inside) => inside === imported),
    libraryRoot: join(root, "packages", name, "src"),
  });
  copyTypes(join(root, ".cache/types", name, "src"), join(folder, "dist"));
  finish(folder, { manifest: libraryManifest(manifest, bundled), modules });
  cpSync(join(root, "packages", name, "API.md"), join(folder, "API.md"));
  copyPages({ readme: join(root, "packages", name, "README.md") }, folder);
  const readme = join(folder, "README.md");
  const line = installLine(manifest, siblingTarballs(manifest, readManifest));
  writeFileSync(readme, readFileSync(readme, "utf8").replace("\n", `\n\n${line}\n`));
  return folder;
}

/** Returns any file of each package that the dashboard is built with. */
function modulesOfDashboard(): string[] {
  const names = Object.keys(readManifest("dashboard").dependencies ?? {}).filter(
    (name) => !name.startsWith("@longhaul/"),
  );
  return names.map((name) => join(root, "node_modules", name, "package.json"));
}

function stageFor(name: string): string {
  const folder = join(target, "stage", name);
  mkdirSync(folder, { recursive: true });
  return folder;
}

function readManifest(name: string): WorkspaceManifest {
  return JSON.parse(readFileSync(join(root, "packages", name, "package.json"), "utf8"));
}

function finish(folder: string, { manifest, modules }: { manifest: Record<string, unknown>; modules: string[] }): void {
  writeFileSync(join(folder, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
  cpSync(join(root, "LICENSE"), join(folder, "LICENSE"));
  const notices = licensesOf(modules);
  if (notices !== "") writeFileSync(join(folder, "THIRD-PARTY-NOTICES.txt"), notices);
}

function describeTarball(folder: string): string {
  const printed = execFileSync("npm", ["pack", "--silent", "--ignore-scripts", "--pack-destination", target], {
    cwd: folder,
    encoding: "utf8",
  });
  const file = printed.trim();
  return `${file} ${(statSync(join(target, file)).size / 1e6).toFixed(2)} MB`;
}

function run(command: string, args: readonly string[]): void {
  const { status } = spawnSync(join(root, "node_modules", ".bin", command), args, { cwd: root, stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
}
