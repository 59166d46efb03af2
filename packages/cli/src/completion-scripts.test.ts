import { expect, it } from "vitest";
import { COMPLETION_SCRIPTS, type Completed } from "./completion-scripts.ts";

const ALL: readonly Completed[] = [
  { path: "", words: ["keys"], flags: [{ long: "--help" }] },
  { path: "keys", words: ["create"], flags: [{ long: "--help" }] },
  {
    path: "keys create",
    words: [],
    flags: [{ long: "--json" }, { long: "--tenant", values: [] }, { long: "--by", values: ["day", "week"] }],
  },
];

it("asks for the flag before the command, and for longer commands first", () => {
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

it("tells fish which flags take a value, and which", () => {
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
