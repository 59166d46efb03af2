import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { announcedBy } from "../announced.ts";

/** A folder with installed tarballs and nothing else, and an empty home folder. */
export interface Installed {
  readonly folder: string;
  readonly environment: NodeJS.ProcessEnv;
  remove(): void;
}

/** Installs tarballs like a user, but without a registry: packages that they depend on are packed from the repository's. */
export function install(tarballs: readonly string[], dependencies: readonly string[] = []): Installed {
  const root = mkdtempSync(join(tmpdir(), "longhaul-installed-"));
  const folder = join(root, "project");
  const home = join(root, "home");
  for (const made of [folder, home]) mkdirSync(made);
  const environment = { PATH: process.env.PATH, HOME: home };
  const flags = ["--offline", "--no-audit", "--no-fund", "--loglevel=error", "--legacy-peer-deps"];
  const packed = dependencies.map((name) => packAgain(name, root));
  execFileSync("npm", ["install", ...flags, ...tarballs, ...packed], { cwd: folder, env: environment });
  return { folder, environment, remove: () => rmSync(root, { recursive: true }) };
}

function packAgain(name: string, folder: string): string {
  const flags = ["--silent", "--ignore-scripts", "--pack-destination", folder];
  const cwd = fileURLToPath(new URL(`../../node_modules/${name}`, import.meta.url));
  const printed = execFileSync("npm", ["pack", ...flags], { cwd, encoding: "utf8" });
  return join(folder, printed.trim());
}

function programIn(folder: string): string {
  return join(folder, "node_modules", "longhaul", "dist", "longhaul.js");
}

/** A gateway that runs from an installed package. */
export interface Started {
  readonly url: string;
  stop(): Promise<number | null>;
}

/** Starts the installed program, and waits until it is healthy. */
export async function start(
  {
    folder,
    environment,
    program = programIn(folder),
  }: Pick<Installed, "folder" | "environment"> & { program?: string },
  node: string,
): Promise<Started> {
  const child = spawn(node, [program, "start", "--port", "0"], { cwd: folder, env: environment });
  const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
  const url = await announcedBy(child);
  const { status } = await fetch(`${url}/healthz`);
  if (status !== 200) throw new Error(`/healthz answers ${status}`);
  return {
    url,
    stop: () => {
      child.kill("SIGTERM");
      return ended;
    },
  };
}
