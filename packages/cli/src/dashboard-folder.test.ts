import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { dashboardFolder } from "./dashboard-folder.ts";

it("is a folder only once the page is in it", () => {
  const folder = mkdtempSync(join(tmpdir(), "longhaul-"));
  expect(dashboardFolder(folder)).toBeUndefined();
  writeFileSync(join(folder, "index.html"), "");
  expect(dashboardFolder(folder)).toBe(folder);
  rmSync(folder, { recursive: true });
});
