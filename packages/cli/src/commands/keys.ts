import { type Command, Option } from "commander";
import type { KeyFlags, KeysFlags } from "../gateway/keys.ts";
import { argumentLimit, withStore } from "../terminal/options.ts";
import type { Terminal } from "../terminal/terminal.ts";

const KEY = "a key's id, or the name of the only one that is called so";

/** Adds the commands on gateway keys. They work on the store, whether a gateway runs on it or not. */
export function addKeyCommands(keys: Command, terminal: Terminal): void {
  withLimits(keys.command("create"))
    .description("make a key and print it, once")
    .argument("<name>", "what its owner calls it")
    .option("--tenant <name>", "what its conversations belong to: keys of one tenant share them (default: its own)")
    .addHelpText("after", CREATE_EXAMPLES)
    .action(async (name: string, flags: KeyFlags) => (await loadKeys()).createKey({ ...flags, name }, terminal));
  withJson(keys.command("list"))
    .description("list the keys with their limits and what they have used")
    .addHelpText("after", LIST_EXAMPLES)
    .action(async (flags: KeysFlags) => (await loadKeys()).listKeys(flags, terminal));
  withLimits(keys.command("change"))
    .description("change a key's name, limits or context settings; gateways see it within a second")
    .argument("<key>", KEY)
    .option("--name <name>", "another name")
    .addHelpText("after", CHANGE_EXAMPLES)
    .action(async (key: string, flags: KeyFlags) => (await loadKeys()).changeKey(key, flags, terminal));
  withJson(keys.command("revoke"))
    .description("revoke a key: within a second it opens nothing")
    .argument("<key>", KEY)
    .addHelpText("after", REVOKE_EXAMPLES)
    .action(async (key: string, flags: KeysFlags) => (await loadKeys()).revokeKey(key, flags, terminal));
}

const loadKeys = () => import("../gateway/keys.ts");

function withJson(command: Command): Command {
  return withStore(command.option("--json", "print one object"));
}

function withLimits(command: Command): Command {
  const limit = (flags: string, about: string) => new Option(flags, about).argParser(argumentLimit);
  return withJson(command)
    .addOption(limit("--requests-per-minute <number>", "most requests in one minute, or none"))
    .addOption(limit("--concurrent <number>", "most requests under way at once, or none"))
    .addOption(limit("--usd-per-day <number>", "most money in a day of UTC, or none"))
    .addOption(limit("--usd-per-month <number>", "most money in a month of UTC, or none"))
    .option("--context <file>", "context settings of its requests, YAML or JSON, as in the section `context`");
}

const CREATE_EXAMPLES = `
Examples:
  longhaul keys create laptop
  longhaul keys create ci --tenant build --requests-per-minute 60 --usd-per-day 5`;

const LIST_EXAMPLES = `
Examples:
  longhaul keys list
  longhaul keys list --json`;

const CHANGE_EXAMPLES = `
Examples:
  longhaul keys change laptop --usd-per-day 10
  longhaul keys change ci --requests-per-minute none`;

const REVOKE_EXAMPLES = `
Examples:
  longhaul keys revoke laptop`;
