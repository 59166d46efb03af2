import { Argument, type Command } from "commander";
import type { ImportFlags } from "../import/import-file.ts";
import type { SimulateFlags } from "../start/simulate.ts";
import { completion, SHELLS, type Shell } from "../terminal/completion.ts";
import { argumentPort, examples } from "../terminal/options.ts";
import { readVersion } from "../terminal/program-files.ts";
import type { Terminal } from "../terminal/terminal.ts";

export function addToolCommands(program: Command, terminal: Terminal): void {
  program
    .command("import")
    .description("convert a configuration from claude-code-proxy, claude-code-router, LiteLLM or Portkey")
    .argument("<file>", ".env, config.json, YAML or JSON (format is detected automatically)")
    .option("--out <file>", "write to this file (default: print to standard output)")
    .addHelpText(
      "after",
      examples(
        ["import ~/.claude-code-router/config.json --out longhaul.yaml", "import litellm_config.yaml", "import .env"],
        IMPORT_NOTE,
      ),
    )
    .action(async (file: string, flags: ImportFlags) =>
      (await import("../import/import-file.ts")).importFile(file, flags, terminal),
    );
  program
    .command("simulate")
    .description("run simulated vendor APIs to test clients against")
    .option("--port <port>", "port to listen on (default: any free port)", argumentPort)
    .addHelpText("after", examples(["simulate", "simulate --port 4200"]))
    .action(async (flags: SimulateFlags) => (await import("../start/simulate.ts")).simulate(flags, terminal));
  program
    .command("completion")
    .description("print a shell completion script")
    .addArgument(new Argument("<shell>", "shell to complete in").choices(SHELLS))
    .addHelpText(
      "after",
      examples([
        "completion bash >> ~/.bashrc",
        "completion zsh >> ~/.zshrc",
        "completion fish > ~/.config/fish/completions/longhaul.fish",
      ]),
    )
    .action((shell: Shell) => completion(shell, program, terminal));
  program
    .command("version")
    .description("print the versions of Longhaul and Node, and the platform")
    .action(() =>
      terminal.write(`longhaul ${readVersion()}, Node ${process.versions.node}, ${process.platform} ${process.arch}\n`),
    );
}

const IMPORT_NOTE =
  "API keys are not copied: the configuration refers to the environment variables that hold them. Settings that cannot be converted are listed with the reason.";
