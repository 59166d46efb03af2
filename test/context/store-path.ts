import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** Where a store may be while a test runs. */
export function makeStorePath(): string {
  const folder = mkdtempSync(join(tmpdir(), "longhaul-context-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return join(folder, "longhaul.db");
}
