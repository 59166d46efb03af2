import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    /** Where the tarballs are, and the folders that they were made of. */
    readonly packed: string;
    /** The Nodes that the program is tried on. */
    readonly nodes: readonly string[];
  }
}

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Before the tests: everything is packed as it is now. Another Node comes from npm where `LONGHAUL_PACK_NODE` names its version. */
export function setup({ provide }: TestProject): () => void {
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
