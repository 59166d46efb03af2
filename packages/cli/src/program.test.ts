import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { run } from "./program.ts";
import { makeTerminal } from "./testing/terminal.ts";
import { readVersion } from "./version.ts";

const folder = mkdtempSync(join(tmpdir(), "longhaul-"));
afterAll(() => rmSync(folder, { recursive: true }));

describe("run", () => {
  it.each([
    [["start", "--port", "http"], '"http" is not a port; give a whole number from 0 to 65535'],
    [["stat"], "unknown command 'stat'"],
  ])("exits with 2 on %j and says why", async (args, reason) => {
    const terminal = makeTerminal(folder);
    expect(await run(args, terminal)).toBe(2);
    expect(terminal.errors()).toContain(reason);
  });

  it("prints its help and exits with 0", async () => {
    const terminal = makeTerminal(folder);
    expect(await run(["--help"], terminal)).toBe(0);
    expect(terminal.output()).toContain("start the gateway");
  });

  it("prints its version and exits with 0", async () => {
    const terminal = makeTerminal(folder);
    expect(await run(["--version"], terminal)).toBe(0);
    expect(terminal.output()).toBe(`${readVersion()}\n`);
  });
});
