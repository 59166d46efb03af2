import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { startFile } from "../../scripts/pack-start.ts";

const folder = mkdtempSync(join(tmpdir(), "longhaul-"));
afterAll(() => rmSync(folder, { recursive: true }));

function runOn(engines: string) {
  writeFileSync(join(folder, "longhaul.mjs"), startFile(engines));
  writeFileSync(join(folder, "main.js"), 'process.stdout.write("runs");');
  const { status, stdout, stderr } = spawnSync(process.execPath, ["longhaul.mjs"], { cwd: folder, encoding: "utf8" });
  return { status, stdout, stderr };
}

it("starts the program where Node is new enough", () => {
  const [major, minor] = process.versions.node.split(".");
  for (const engines of [">=22.19", `>=${major}.${minor}`])
    expect(runOn(engines)).toEqual({ status: 0, stdout: "runs", stderr: "" });
});

it.each([">=99.0", `>=${process.versions.node.split(".")[0]}.999`])("says that %s is needed", (engines) => {
  const stderr = `longhaul: this is Node ${process.versions.node}, and Longhaul needs ${engines.slice(2)} or newer; install that, then run the command again\n`;
  expect(runOn(engines)).toEqual({ status: 1, stdout: "", stderr });
});

it("refuses a range that it does not know", () => {
  expect(() => startFile("^22")).toThrow("engines.node: ^22 is not >=major.minor");
});
