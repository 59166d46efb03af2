import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { TestProject } from "vitest/node";
import { prepareChromium } from "../dashboard/set-up.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The folder of the tarballs and their contents. */
    readonly packed: string;
    /** The Node programs to test with. */
    readonly nodes: readonly string[];
  }
}

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Packs everything before the tests. Another Node comes from npm if `LONGHAUL_PACK_NODE` names its version. */
export function setup({ provide }: TestProject): () => void {
  prepareChromium();
  const packed = mkdtempSync(join(tmpdir(), "longhaul-packed-"));
  execFileSync(process.execPath, [join(root, "scripts/pack.ts"), packed], { stdio: "inherit" });
  const other = process.env.LONGHAUL_PACK_NODE;
  provide("packed", packed);
  provide("nodes", other === undefined ? [process.execPath] : [process.execPath, fetchNode(other)]);
  return () => rmSync(packed, { recursive: true });
}

function fetchNode(version: string): string {
  const name = `node-${process.platform}-${process.arch}`;
  const folder = join(root, ".cache", `node-${version}`);
  execFileSync("npm", ["install", "--prefix", folder, "--no-save", "--loglevel=error", `${name}@${version}`]);
  return join(folder, "node_modules", name, "bin", "node");
}
