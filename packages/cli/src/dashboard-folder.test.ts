import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { dashboardFolder } from "./dashboard-folder.ts";

it("is the first place with the page in it", () => {
  const folder = mkdtempSync(join(tmpdir(), "longhaul-"));
  const places = [join(folder, "nowhere"), folder];
  expect(dashboardFolder(places)).toBeUndefined();
  writeFileSync(join(folder, "index.html"), "");
  expect(dashboardFolder(places)).toBe(folder);
  rmSync(folder, { recursive: true });
});
