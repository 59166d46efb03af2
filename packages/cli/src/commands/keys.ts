import { type Command, Option } from "commander";
import type { DeleteFlags, KeyFlags, KeysFlags } from "../keys/manage-keys.ts";
import { argumentLimit, argumentModels, examples, withConfig } from "../terminal/options.ts";
import type { Terminal } from "../terminal/terminal.ts";

const KEY = "ID of the key, or its name if the name is unique";

/** Adds the commands on API keys. They work on the store, whether or not a gateway is running on it. */
export function addKeyCommands(keys: Command, terminal: Terminal): void {
  withLimits(keys.command("create"))
    .description("create an API key and print it once")
    .argument("<name>", "name of the key")
    .option(
      "--tenant <name>",
      "owner of the key's conversations; keys of the same tenant share them (default: the key itself)",
    )
    .option("--yes", "do not ask; before the first key, give each connected client a key of its own")
    .option("--no-clients", "do not change the settings of connected clients")
    .addHelpText(
      "after",
      examples([
        "keys create laptop",
        "keys create ci --requests-per-minute 60 --usd-per-day 5",
        'keys create intern --models "claude-haiku-*" --usd-per-month 20',
      ]),
    )
    .action(async (name: string, flags: KeyFlags) => (await loadKeys()).createKey({ ...flags, name }, terminal));
  withJson(keys.command("list"))
    .description("list API keys with their limits and usage")
    .addHelpText("after", examples(["keys list", "keys list --json"]))
    .action(async (flags: KeysFlags) => (await loadKeys()).listKeys(flags, terminal));
  withLimits(keys.command("change"))
    .description("change a key's name, models, limits or context settings (takes effect within a second)")
    .argument("<key>", KEY)
    .option("--name <name>", "new name")
    .addHelpText(
      "after",
      examples([
        "keys change laptop --usd-per-day 10",
        "keys change ci --requests-per-minute none",
        "keys change intern --models all",
      ]),
    )
    .action(async (key: string, flags: KeyFlags) => (await loadKeys()).changeKey(key, flags, terminal));
  withJson(keys.command("revoke"))
    .description("revoke a key (takes effect within a second)")
    .argument("<key>", KEY)
    .addHelpText("after", examples(["keys revoke laptop"]))
    .action(async (key: string, flags: KeysFlags) => (await loadKeys()).revokeKey(key, flags, terminal));
  withJson(keys.command("delete"))
    .description("delete a key, or all: without any key, a gateway on localhost requires none again")
    .argument("[key]", KEY)
    .option("--all", "delete all keys")
    .option("--yes", "do not ask before the last key is deleted")
    .addHelpText("after", examples(["keys delete laptop", "keys delete --all"]))
    .action(async (key: string | undefined, flags: DeleteFlags) => (await loadKeys()).deleteKey(key, flags, terminal));
}

const loadKeys = () => import("../keys/manage-keys.ts");

function withJson(command: Command): Command {
  return withConfig(command.option("--json", "print JSON"));
}

function withLimits(command: Command): Command {
  const limit = (flags: string, about: string) => new Option(flags, about).argParser(argumentLimit);
  return withJson(command)
    .addOption(limit("--requests-per-minute <number>", "maximum requests per minute, or none for no limit"))
    .addOption(limit("--concurrent <number>", "maximum concurrent requests, or none for no limit"))
    .addOption(limit("--usd-per-day <number>", "maximum spend per UTC day in US dollars, or none for no limit"))
    .addOption(limit("--usd-per-month <number>", "maximum spend per UTC month in US dollars, or none for no limit"))
    .addOption(
      new Option(
        "--models <names>",
        "models the key may use, separated by commas, with * as a wildcard, or all",
      ).argParser(argumentModels),
    )
    .option(
      "--context <file>",
      "file with context settings for the key's requests (YAML or JSON, as in the `context` section)",
    );
}
