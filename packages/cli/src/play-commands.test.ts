import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { run } from "./program.ts";
import { makeTerminal } from "./testing/terminal.ts";

const folder = mkdtempSync(join(tmpdir(), "longhaul-"));
afterAll(() => rmSync(folder, { recursive: true }));

it.each(["demo", "replay"])("%s explains itself with examples", async (command) => {
  const terminal = makeTerminal(folder);
  expect(await run([command, "--help"], terminal)).toBe(0);
  expect(terminal.output()).toContain(`Examples:\n  longhaul ${command}`);
});
