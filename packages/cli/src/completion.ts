import type { Command } from "commander";
import { CLIENTS } from "./connect/clients.ts";
import type { Terminal } from "./terminal.ts";

/** Shells that complete the command line. */
export const SHELLS = ["bash", "zsh", "fish"] as const;

/** Prints a script that makes a shell complete `longhaul`, made from the commands themselves. */
export function completion(shell: (typeof SHELLS)[number], program: Command, terminal: Terminal): void {
  terminal.write(SCRIPTS[shell](wordsOf(program)));
}

/** What may follow a command: by its name, with its parent's before it. */
type Words = readonly (readonly [command: string, words: readonly string[]])[];

const FIXED: Readonly<Record<string, readonly string[]>> = {
  connect: CLIENTS.map(({ id }) => id),
  run: CLIENTS.flatMap(({ id, program }) => (program === undefined ? [] : [id])),
  completion: SHELLS,
};

function wordsOf(program: Command): Words {
  const flags = (command: Command) => [...command.options.flatMap(({ long }) => long ?? []), "--help"];
  const below = (command: Command, name: string): Words => [
    [name, [...command.commands.map((each) => each.name()), ...(FIXED[name] ?? []), ...flags(command)]],
    ...command.commands.flatMap((each) => below(each, `${name} ${each.name()}`.trim())),
  ];
  return below(program, "");
}

const SCRIPTS: Readonly<Record<(typeof SHELLS)[number], (words: Words) => string>> = {
  bash: (words) => `# Completion of longhaul for bash: eval "$(longhaul completion bash)"
_longhaul() {
  local current="\${COMP_WORDS[COMP_CWORD]}" path="" words="" word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$word" in -*) ;; *) [ "$(echo $path | wc -w)" -lt 2 ] && path="\${path:+$path }$word" ;; esac
  done
  case "$path" in
${words
  .toReversed()
  .map(([command, all]) => `    "${command}"${command === "" ? "" : "*"}) words="${all.join(" ")}" ;;`)
  .join("\n")}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  [ \${#COMPREPLY[@]} -eq 0 ] && COMPREPLY=($(compgen -f -- "$current"))
}
complete -F _longhaul longhaul
`,
  zsh: (words) => `#compdef longhaul
# Completion of longhaul for zsh: eval "$(longhaul completion zsh)"
_longhaul() {
  local -a typed all
  typed=(\${\${words[2,CURRENT-1]}:#-*})
  case "\${typed[1,2]}" in
${words
  .toReversed()
  .map(([command, all]) => `    ${command === "" ? '""' : `"${command}"*`}) all=(${all.join(" ")}) ;;`)
  .join("\n")}
  esac
  compadd -a all
  _files
}
compdef _longhaul longhaul
`,
  fish: (words) => `# Completion of longhaul for fish: longhaul completion fish | source
${words
  .flatMap(([command, all]) =>
    all.map((word) => `complete -c longhaul -n '${fishCondition(command)}' ${fishWord(word)}`),
  )
  .join("\n")}
`,
};

function fishCondition(command: string): string {
  if (command === "") return "__fish_use_subcommand";
  return command
    .split(" ")
    .map((name) => `__fish_seen_subcommand_from ${name}`)
    .join("; and ");
}

function fishWord(word: string): string {
  return word.startsWith("--") ? `-l ${word.slice(2)}` : `-a ${word}`;
}
