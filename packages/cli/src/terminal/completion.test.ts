import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { describe, expect, it } from "vitest";
import { run } from "../program.ts";
import { makeTerminal } from "../testing/terminal.ts";
import { COMPLETION_SCRIPTS, type Completed } from "./completion.ts";
import { STRATEGY_IDS } from "./options.ts";

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
  ["longhaul demo --strategy nat", "native"],
  ["longhaul demo --strategy = nat", "native"],
  ["longhaul condense --strategy tree", "tree-summary"],
  ["longhaul analyze --strategies =", STRATEGY_IDS.join(" ")],
  ["longhaul usage --json --by k", "key"],
  ["longhaul usage --by ke --period w", "week"],
  ["longhaul completion z", "zsh"],
  ["longhaul start --config --st", ""],
])("completes %j in bash with %s", async (line, expected) => {
  const words = line.split(" ");
  const script = `${await scriptFor("bash")}
COMP_WORDS=(${words.map((word) => `"${word}"`).join(" ")}); COMP_CWORD=${words.length - 1}; _longhaul; echo "\${COMPREPLY[@]}"`;
  expect(execFileSync(BASH, ["-c", script], { encoding: "utf8" })).toBe(`${expected}\n`);
});

const ZSH = "/usr/bin/zsh";

// Prints the calls to zsh's completion functions instead of running them.
const ZSH_STAND_INS = `compdef() { }
compadd() { [[ $1 == -a ]] && print -r -- \${(P)2} || print -r -- \${@:2} }
_files() { print files }
compset() { }`;

it.skipIf(!existsSync(ZSH)).each([
  ["longhaul demo --strategy ", `${STRATEGY_IDS.join(" ")}\n`],
  ["longhaul demo --strategy=", `${STRATEGY_IDS.join(" ")}\n`],
  ["longhaul start --config ", "files\n"],
  ["longhaul completion ", "bash zsh fish --help\nfiles\n"],
])("completes %j in zsh with %j", async (line, expected) => {
  const words = line.split(" ");
  const script = `${ZSH_STAND_INS}
${await scriptFor("zsh")}
words=(${words.map((word) => `"${word}"`).join(" ")}); CURRENT=${words.length}; PREFIX="${words.at(-1)}"; _longhaul`;
  expect(execFileSync(ZSH, ["-fc", script], { encoding: "utf8" })).toBe(expected);
});

const FISH = "/usr/bin/fish";

it.skipIf(!existsSync(FISH)).each([
  ["longhaul demo --strategy nat", ["native"]],
  ["longhaul demo --strategy=nat", ["--strategy=native"]],
  ["longhaul completion ", ["bash", "fish", "zsh"]],
  ["longhaul usage --period ", ["month", "today", "week"]],
  ["longhaul keys cr", ["create"]],
])("completes %j in fish with %j", async (line, expected) => {
  const script = `${await scriptFor("fish")}complete -C '${line}'`;
  const offered = execFileSync(FISH, ["--no-config", "-c", script], { cwd: tmpdir(), encoding: "utf8" });
  expect(offered.trimEnd().split("\n").toSorted()).toEqual(expected);
});

it("rejects other shells", async () => {
  const terminal = makeTerminal(tmpdir());
  expect(await run(["completion", "tcsh"], terminal)).toBe(2);
  expect(terminal.errors()).toContain("Choose from bash, zsh, fish");
});

describe("COMPLETION_SCRIPTS", () => {
  const ALL: readonly Completed[] = [
    { path: "", words: ["keys"], flags: [{ long: "--help" }] },
    { path: "keys", words: ["create"], flags: [{ long: "--help" }] },
    {
      path: "keys create",
      words: [],
      flags: [{ long: "--json" }, { long: "--tenant", values: [] }, { long: "--by", values: ["day", "week"] }],
    },
  ];

  it("matches flags before commands, and longer commands first", () => {
    expect(COMPLETION_SCRIPTS.bash(ALL)).toContain(`
    "keys create"*:--tenant) words="" ;;
    "keys create"*:--by) words="day week" ;;
    "keys create"*:*) words="--json --tenant --by" ;;
    "keys"*:*) words="create --help" ;;
    :*) words="keys --help" ;;
`);
    expect(COMPLETION_SCRIPTS.zsh(ALL)).toContain(`
    "keys create"*:--tenant) _files; return ;;
    "keys create"*:--by) compadd -- day week; return ;;
    "keys create"*:*) all=(--json --tenant --by) ;;
    "keys"*:*) all=(create --help) ;;
    :*) all=(keys --help) ;;
`);
  });

  it("lists for fish the flags that take a value, with their values", () => {
    const create = "complete -c longhaul -n '__fish_seen_subcommand_from keys; and __fish_seen_subcommand_from create'";
    expect(COMPLETION_SCRIPTS.fish(ALL).split("\n").slice(1)).toEqual([
      "complete -c longhaul -n '__fish_use_subcommand' -f -a keys",
      "complete -c longhaul -n '__fish_use_subcommand' -l help",
      "complete -c longhaul -n '__fish_seen_subcommand_from keys' -f -a create",
      "complete -c longhaul -n '__fish_seen_subcommand_from keys' -l help",
      `${create} -l json`,
      `${create} -l tenant -r`,
      `${create} -l by -x -a 'day week'`,
      "",
    ]);
  });
});
