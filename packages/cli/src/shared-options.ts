import { STRATEGIES } from "@longhaul/condense";
import { type Command, Option } from "commander";
import { argumentPort } from "./port.ts";

/** What strategies are called. */
export const STRATEGY_IDS: readonly string[] = STRATEGIES.map(({ id }) => id);

/** The option that chooses one of them. */
export function strategyOption(about: string): Option {
  return new Option("--strategy <id>", about).choices(STRATEGY_IDS);
}

const STORE = "the store (default: the one that start would take)";

/** Adds where a command finds the store. */
export function withStore(command: Command): Command {
  return command
    .option("--config <file>", "configuration that says where the store is (default: the one that start would take)")
    .option("--store <file>", STORE);
}

/** Adds where a command finds the configuration that it looks at, and what may be stored over it. */
export function withConfig(command: Command): Command {
  return command
    .option("--config <file>", "configuration (default: the one that start would take)")
    .option("--store <file>", STORE);
}

/** Adds the address of a gateway, as far as it is not the configuration's. */
export function withAddress(command: Command): Command {
  return command
    .option("--host <host>", "address that the gateway listens on (default: the configuration's)")
    .option("--port <port>", "port that it listens on (default: PORT, the configuration's)", argumentPort);
}
