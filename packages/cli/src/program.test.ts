import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { run } from "./program.ts";
import { readVersion } from "./terminal/program-files.ts";
import { makeTerminal } from "./testing/terminal.ts";

const folder = mkdtempSync(join(tmpdir(), "longhaul-"));
afterAll(() => rmSync(folder, { recursive: true }));

async function helpOf(command: readonly string[]): Promise<string> {
  const terminal = makeTerminal(folder);
  expect(await run([...command, "--help"], terminal)).toBe(0);
  return terminal.output();
}

/** Every command that does something, with those that it stands below. */
async function commandsBelow(above: readonly string[] = []): Promise<string[][]> {
  const listed = (await helpOf(above)).split("Commands:")[1] ?? "";
  const names = [...listed.matchAll(/^ {2}([a-z]+)/gm)].map(([, name = ""]) => name).filter((name) => name !== "help");
  const below = await Promise.all(names.map((name) => commandsBelow([...above, name])));
  return names.length === 0 ? [[...above]] : below.flat();
}

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
    expect(terminal.output()).toMatch(/To begin: longhaul demo --fast.*start the gateway/s);
  });

  it("explains every command with examples", async () => {
    const commands = await commandsBelow();
    expect(commands.length).toBeGreaterThan(20);
    const lacking = await Promise.all(
      commands.map(async (command) => {
        const isExplained = (await helpOf(command)).includes(`Examples:\n  longhaul ${command.join(" ")}`);
        return isExplained || command[0] === "version" ? [] : [command.join(" ")];
      }),
    );
    expect(lacking.flat()).toEqual([]);
  });

  it("prints its version and exits with 0", async () => {
    const terminal = makeTerminal(folder);
    expect(await run(["--version"], terminal)).toBe(0);
    expect(terminal.output()).toBe(`${readVersion()}\n`);
  });
});
