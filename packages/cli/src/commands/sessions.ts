import { type Command, InvalidArgumentError, Option } from "commander";
import type { AnalyzeFlags } from "../analyze/analyze.ts";
import type { DemoFlags } from "../demo/demo.ts";
import type { CondenseFlags } from "../logs/condense.ts";
import type { CountFlags } from "../logs/count.ts";
import type { ReplayFlags } from "../play/replay-file.ts";
import { argumentCount, argumentPort, argumentTokens, STRATEGY_IDS, strategyOption } from "../terminal/options.ts";
import type { Terminal } from "../terminal/terminal.ts";

const LOG = "session log or API JSON";
const MODEL = "model to count and price for (default: the one that the file names)";

/** Adds the commands that work on files of conversations: `condense`, `count` and `analyze`. */
export function addFileCommands(program: Command, terminal: Terminal): void {
  program
    .command("condense")
    .description("condense the conversation in a file, and say what that brings")
    .argument("<file>", LOG)
    .addOption(strategyOption("how").makeOptionMandatory())
    .option("--budget <tokens>", "most tokens that the result may have", argumentTokens)
    .addOption(
      new Option("--window <tokens>", "window to fit, as the gateway would (default: that of the model)")
        .argParser(argumentTokens)
        .conflicts("budget"),
    )
    .option("--config <file>", "the strategy's settings, YAML or JSON, alone or in a gateway's configuration")
    .option("--model <id>", MODEL)
    .option("--out <file>", "write the condensed conversation there, in the input's own format")
    .option("--json", "print one object instead of the report")
    .addHelpText("after", CONDENSE_EXAMPLES)
    .action(async (file: string, flags: CondenseFlags) =>
      (await import("../logs/condense.ts")).condenseFile(file, flags, terminal),
    );
  program
    .command("count")
    .description("count the tokens of the conversation in a file, by what they are spent on")
    .argument("<file>", LOG)
    .option("--model <id>", MODEL)
    .option("--json", "print one object")
    .addHelpText("after", COUNT_EXAMPLES)
    .action(async (file: string, flags: CountFlags) =>
      (await import("../logs/count.ts")).countFile(file, flags, terminal),
    );
  program
    .command("analyze")
    .description("tell where the tokens of sessions went, and what each strategy would have saved")
    .argument("<paths...>", "session logs, API JSON, or folders that hold them")
    .addOption(
      new Option("--strategies <ids>", "only these, separated by commas")
        .choices(STRATEGY_IDS)
        .argParser(argumentStrategies),
    )
    .option(
      "--window <tokens>",
      "window to condense for (default: three quarters of a session's longest prompt)",
      argumentTokens,
    )
    .option("--model <id>", "model of the sessions that do not name theirs")
    .option("--details", "tell of every session what each strategy would have saved")
    .option("--json", "print one object")
    .option("--html <file>", "write a page with plots there; it needs nothing else to be looked at")
    .addHelpText("after", ANALYZE_EXAMPLES)
    .action(async (paths: string[], flags: AnalyzeFlags) =>
      (await import("../analyze/analyze.ts")).analyze(paths, flags, terminal),
    );
}

function argumentStrategies(text: string): string[] {
  const ids = text.split(",").map((id) => id.trim());
  const unknown = ids.find((id) => !STRATEGY_IDS.includes(id));
  if (unknown === undefined) return ids;
  throw new InvalidArgumentError(`there is no strategy "${unknown}"; choose among ${STRATEGY_IDS.join(", ")}.`);
}

const CONDENSE_EXAMPLES = `
Summaries are made without a model: nothing is sent anywhere.

Examples:
  longhaul condense session.jsonl --strategy lossless --window 200k
  longhaul condense chat.json --strategy smart --budget 20000 --out smaller.json
  longhaul condense session.jsonl --strategy native --budget 8k --json > condensed.json`;

const COUNT_EXAMPLES = `
Examples:
  longhaul count session.jsonl
  longhaul count request.json --model gpt-4o --json`;

const ANALYZE_EXAMPLES = `
Reads Claude Code, Codex, Gemini CLI, pi and Roo/Zoo/Cline sessions, and Anthropic, OpenAI and Gemini JSON. Nothing is sent anywhere.

Examples:
  longhaul analyze ~/.claude/projects
  longhaul analyze ~/.codex/sessions --html report.html
  longhaul analyze session.jsonl --window 128k --strategies lossless,smart --json`;

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
    .action(async (flags: DemoFlags) => (await import("../demo/demo.ts")).demo(flags, terminal));
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
      (await import("../play/replay-file.ts")).replayFile(file, flags, terminal),
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
