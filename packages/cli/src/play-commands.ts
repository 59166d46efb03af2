import { STRATEGIES } from "@longhaul/condense";
import { type Command, Option } from "commander";
import { argumentCount } from "./argument-count.ts";
import { argumentTokens } from "./argument-tokens.ts";
import { type DemoFlags, demo } from "./demo/demo.ts";
import { argumentPort } from "./port.ts";
import type { Terminal } from "./terminal.ts";

const IDS = STRATEGIES.map(({ id }) => id);
const DEMO_WINDOW_TOKENS = 16_000;
const DEMO_TURNS = 80;

/** Adds the commands that play sessions through a gateway to the simulator: `demo` and `replay`. */
export function addPlayCommands(program: Command, terminal: Terminal): void {
  program
    .command("demo")
    .description("watch a long session of a coding agent outgrow its window, with a simulated model")
    .option("--turns <number>", "how many requests it makes", argumentCount, DEMO_TURNS)
    .option("--window <tokens>", "window of its model", argumentTokens, DEMO_WINDOW_TOKENS)
    .addOption(new Option("--strategy <id>", "how the conversation is made smaller").choices(IDS).default("smart"))
    .option("--fast", "make no pauses between turns")
    .option("--stay", "keep the dashboard open after the last turn, until Ctrl-C")
    .option("--port <port>", "port to listen on (default: any free one)", argumentPort)
    .option("--store <file>", "file that keeps what happens (default: one that is thrown away)")
    .addHelpText("after", DEMO_EXAMPLES)
    .action((flags: DemoFlags) => demo(flags, terminal));
}

const DEMO_EXAMPLES = `
Nothing is sent anywhere, and no key is needed.

Examples:
  longhaul demo
  longhaul demo --fast --turns 40 --strategy native
  longhaul demo --stay --port 4242`;
