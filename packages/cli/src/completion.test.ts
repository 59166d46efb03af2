import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { expect, it } from "vitest";
import { run } from "./program.ts";
import { makeTerminal } from "./testing/terminal.ts";

async function scriptFor(shell: string): Promise<string> {
  const terminal = makeTerminal(tmpdir());
  expect(await run(["completion", shell], terminal)).toBe(0);
  return terminal.output();
}

const BASH = "/bin/bash";

it.skipIf(!existsSync(BASH)).each([
  ["longhaul dem", "demo"],
  ["longhaul keys cr", "create"],
  ["longhaul connect claude", "claude-code"],
  ["longhaul connect curs", "cursor"],
  ["longhaul run curs", ""],
  ["longhaul run claude", "claude-code"],
  ["longhaul demo --fast --str", "--strategy"],
  ["longhaul config --", "--help"],
])("completes %j in bash with %s", async (line, expected) => {
  const words = line.split(" ");
  const script = `${await scriptFor("bash")}
COMP_WORDS=(${words.map((word) => `"${word}"`).join(" ")}); COMP_CWORD=${words.length - 1}; _longhaul; echo "\${COMPREPLY[@]}"`;
  expect(execFileSync(BASH, ["-c", script], { encoding: "utf8" })).toBe(`${expected}\n`);
});

it("names every command and flag to zsh and fish", async () => {
  const zsh = await scriptFor("zsh");
  expect(zsh).toMatch(/^#compdef longhaul\n/);
  expect(zsh).toContain('"keys create"*) all=(--json');
  const fish = await scriptFor("fish");
  expect(fish).toContain("complete -c longhaul -n '__fish_use_subcommand' -a doctor\n");
  expect(fish).toContain("-n '__fish_seen_subcommand_from keys; and __fish_seen_subcommand_from create' -l tenant\n");
});

it("refuses other shells", async () => {
  const terminal = makeTerminal(tmpdir());
  expect(await run(["completion", "tcsh"], terminal)).toBe(2);
  expect(terminal.errors()).toContain("Allowed choices are bash, zsh, fish");
});
