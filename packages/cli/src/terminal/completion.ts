import { table } from "@longhaul/conversation/values";
import type { Command } from "commander";
import type { Terminal } from "./terminal.ts";

export function completion(shell: Shell, program: Command, terminal: Terminal): void {
  terminal.write(COMPLETION_SCRIPTS[shell](completedBelow(program, "")));
}

function completedBelow(command: Command, path: string): Completed[] {
  const choices = command.registeredArguments.flatMap(({ argChoices = [] }) => argChoices);
  const flags = command.options.flatMap(({ long, required, optional, argChoices = [] }) =>
    long == null ? [] : [{ long, ...((required || optional) && { values: argChoices }) }],
  );
  return [
    {
      path,
      words: [...command.commands.map((each) => each.name()), ...choices],
      flags: [...flags, { long: "--help" }],
    },
    ...command.commands.flatMap((each) => completedBelow(each, `${path} ${each.name()}`.trim())),
  ];
}

export interface Completed {
  readonly path: string;
  readonly words: readonly string[];
  readonly flags: readonly CompletedFlag[];
}

interface CompletedFlag {
  readonly long: string;
  /** The values to choose from; empty if any value is allowed, absent if it takes none. */
  readonly values?: readonly string[];
}

export const SHELLS = ["bash", "zsh", "fish"] as const;

export type Shell = (typeof SHELLS)[number];

export const COMPLETION_SCRIPTS: Readonly<Record<Shell, (all: readonly Completed[]) => string>> = table({
  bash,
  zsh,
  fish,
});

function bash(all: readonly Completed[]): string {
  return `# Completion of longhaul for bash: eval "$(longhaul completion bash)"
_longhaul() {
  local current="\${COMP_WORDS[COMP_CWORD]}" flag="\${COMP_WORDS[COMP_CWORD-1]}" path="" words="" word
  # "=" is a word of its own.
  [ "$current" = "=" ] && current=""
  [ "$flag" = "=" ] && flag="\${COMP_WORDS[COMP_CWORD-2]}"
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$word" in -*) ;; *) [ "$(echo $path | wc -w)" -lt 2 ] && path="\${path:+$path }$word" ;; esac
  done
  case "$path:$flag" in
${cases(all, { value: (values) => `words="${values.join(" ")}"`, other: (words) => `words="${words.join(" ")}"` })}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  [ \${#COMPREPLY[@]} -eq 0 ] && COMPREPLY=($(compgen -f -- "$current"))
}
complete -F _longhaul longhaul
`;
}

function zsh(all: readonly Completed[]): string {
  return `#compdef longhaul
# Completion of longhaul for zsh: eval "$(longhaul completion zsh)"
_longhaul() {
  local -a typed all
  local flag="\${words[CURRENT-1]}"
  typed=(\${\${words[2,CURRENT-1]}:#-*})
  if [[ "$PREFIX" == --*=* ]]; then flag="\${PREFIX%%=*}"; compset -P '*='; fi
  case "\${typed[1,2]}:$flag" in
${cases(all, {
  value: (values) => (values.length === 0 ? "_files; return" : `compadd -- ${values.join(" ")}; return`),
  other: (words) => `all=(${words.join(" ")})`,
})}
  esac
  compadd -a all
  _files
}
compdef _longhaul longhaul
`;
}

interface Actions {
  readonly value: (values: readonly string[]) => string;
  readonly other: (words: readonly string[]) => string;
}

/** Returns the branches of a `case` over the command and the previous flag. The first match wins, so longer paths come first. */
function cases(all: readonly Completed[], { value, other }: Actions): string {
  const lines = all.toReversed().flatMap(({ path, words, flags }) => {
    const begins = path === "" ? "" : `"${path}"*`;
    const valued = flags.flatMap(({ long, values }) =>
      values === undefined ? [] : [`${begins}:${long}) ${value(values)} ;;`],
    );
    return [...valued, `${begins}:*) ${other([...words, ...flags.map(({ long }) => long)])} ;;`];
  });
  return lines.map((line) => `    ${line}`).join("\n");
}

function fish(all: readonly Completed[]): string {
  const lines = all.flatMap(({ path, words, flags }) => {
    const begin = `complete -c longhaul -n '${fishCondition(path)}'`;
    return [
      ...words.map((word) => `${begin} -f -a ${word}`),
      ...flags.map(({ long, values }) => `${begin} -l ${long.slice(2)}${fishValues(values)}`),
    ];
  });
  return `# Completion of longhaul for fish: longhaul completion fish | source\n${lines.join("\n")}\n`;
}

function fishCondition(path: string): string {
  if (path === "") return "__fish_use_subcommand";
  return path
    .split(" ")
    .map((name) => `__fish_seen_subcommand_from ${name}`)
    .join("; and ");
}

function fishValues(values: CompletedFlag["values"]): string {
  if (values === undefined) return "";
  return values.length === 0 ? " -r" : ` -x -a '${values.join(" ")}'`;
}
