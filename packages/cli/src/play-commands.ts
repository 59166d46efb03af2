import type { Command } from "commander";
import type { DemoFlags } from "./demo/demo.ts";
import type { ReplayFlags } from "./play/replay-file.ts";
import { argumentCount, argumentPort, argumentTokens, strategyOption } from "./terminal/options.ts";
import type { Terminal } from "./terminal/terminal.ts";

const STRATEGY = "how the conversation is made smaller";
const DEMO_WINDOW_TOKENS = 16_000;
const DEMO_TURNS = 80;

/** Adds the commands that play sessions through a gateway to the simulator: `demo` and `replay`. */
export function addPlayCommands(program: Command, terminal: Terminal): void {
  program
    .command("demo")
    .description("watch a long session of a coding agent outgrow its window, with a simulated model")
    .option("--turns <number>", "how many requests it makes", argumentCount(1), DEMO_TURNS)
    .option("--window <tokens>", "window of its model", argumentTokens, DEMO_WINDOW_TOKENS)
    .addOption(strategyOption(STRATEGY).default("smart"))
    .option("--fast", "make no pauses between turns")
    .option("--stay", "keep the dashboard open after the last turn, until Ctrl-C")
    .option("--port <port>", "port to listen on (default: any free one)", argumentPort)
    .option("--store <file>", "file that keeps what happens (default: one that is thrown away)")
    .addHelpText("after", DEMO_EXAMPLES)
    .action(async (flags: DemoFlags) => (await import("./demo/demo.ts")).demo(flags, terminal));
  program
    .command("replay")
    .description("play a recorded session turn by turn through a gateway, with a simulated model")
    .argument("<file>", "session log or API JSON")
    .addOption(strategyOption(STRATEGY).default("smart"))
    .option("--window <tokens>", "window of its model (default: three quarters of the longest prompt)", argumentTokens)
    .option("--turns <number>", "how many requests are played at most", argumentCount(1))
    .option("--model <id>", "model to play it on (default: the one that the file names)")
    .option("--store <file>", "file that keeps what happens (default: one that is thrown away)")
    .option("--json", "print one object instead of a line for each turn")
    .addHelpText("after", REPLAY_EXAMPLES)
    .action(async (file: string, flags: ReplayFlags) =>
      (await import("./play/replay-file.ts")).replayFile(file, flags, terminal),
    );
}

const DEMO_EXAMPLES = `
Nothing is sent anywhere, and no key is needed.

Examples:
  longhaul demo
  longhaul demo --fast --turns 40 --strategy native
  longhaul demo --stay --port 4242`;

const REPLAY_EXAMPLES = `
The recorded answers go on; the simulated model only says that it has read them. Nothing is sent anywhere, and no key is needed.

Examples:
  longhaul replay session.jsonl
  longhaul replay session.jsonl --window 50k --strategy native --turns 100
  longhaul replay chat.json --json > played.json`;
