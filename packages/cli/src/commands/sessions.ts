import { type Command, InvalidArgumentError, Option } from "commander";
import type { AnalyzeFlags } from "../analyze/analyze.ts";
import type { DemoFlags } from "../demo/demo.ts";
import type { SessionsFlags } from "../gateway/sessions.ts";
import type { CondenseFlags } from "../logs/condense.ts";
import type { CountFlags } from "../logs/count.ts";
import type { ReplayFlags } from "../play/replay-file.ts";
import {
  argumentBudget,
  argumentCount,
  argumentPort,
  argumentTime,
  argumentTokens,
  DEFAULT_STRATEGY,
  examples,
  SESSION_SORT_NAMES,
  STRATEGY_IDS,
  strategyOption,
  withConfig,
} from "../terminal/options.ts";
import type { Terminal } from "../terminal/terminal.ts";

const LOG = "session log or API JSON";
const MODEL = "model to count and price for (default: the one named in the file)";
const STRATEGY = "strategy that condenses the conversation";
const STORE = "database file to keep the session in (default: a temporary one)";
const DEMO_WINDOW_TOKENS = 200_000;
const DEMO_TURNS = 180;

export function addSessionCommands(program: Command, terminal: Terminal): void {
  withConfig(program.command("sessions"))
    .description("list sessions with their titles, projects and costs")
    .argument("[words...]", "words in the title, project, branch or name of a session")
    .option("--project <folder>", "only sessions of this folder, or of folders with this name")
    .option("--client <name>", "only sessions of this client, for example Codex")
    .option("--model <name>", "only sessions of this model")
    .option("--key <name>", "only sessions of this API key (name or ID)")
    .option("--condensed", "only sessions that were condensed")
    .option("--errors", "only sessions with errors")
    .option("--since <time>", "only sessions used since this day or time (UTC)", argumentTime)
    .option("--until <time>", "only sessions used before this day or time (UTC)", argumentTime)
    .addOption(new Option("--sort <field>", "order").choices(SESSION_SORT_NAMES).default("last"))
    .option("--limit <number>", "number of sessions", argumentCount(1), SESSION_LIMIT)
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      examples(["sessions", "sessions login button", "sessions --project shop --sort cost --since 2026-11-01"]),
    )
    .action(async (words: string[], flags: SessionsFlags) =>
      (await import("../gateway/sessions.ts")).listSessions(words, flags, terminal),
    );
}

const SESSION_LIMIT = 20;

export function addPlayCommands(program: Command, terminal: Terminal): void {
  program
    .command("demo")
    .description("watch a long coding session outgrow its context window, with a simulated model")
    .option("--turns <number>", "number of requests", argumentCount(1), DEMO_TURNS)
    .option("--window <tokens>", "context window of the model", argumentTokens, DEMO_WINDOW_TOKENS)
    .addOption(strategyOption(STRATEGY).default(DEFAULT_STRATEGY))
    .option("--fast", "do not pause between turns")
    .option("--stay", "keep the gateway and its dashboard running after the last turn")
    .option("--port <port>", "port to listen on (default: any free port)", argumentPort)
    .option("--store <file>", STORE)
    .addHelpText("after", examples(["demo", "demo --fast --strategy native", "demo --stay --port 4242"], DEMO_NOTE))
    .action(async (flags: DemoFlags) => (await import("../demo/demo.ts")).demo(flags, terminal));
  program
    .command("replay")
    .description("replay a recorded session turn by turn through a gateway, with a simulated model")
    .argument("<file>", LOG)
    .addOption(strategyOption(STRATEGY).default(DEFAULT_STRATEGY))
    .option("--window <tokens>", "context window of the model (default: 75% of the longest prompt)", argumentTokens)
    .option("--turns <number>", "maximum number of requests", argumentCount(1))
    .option("--model <id>", "model to replay with (default: the one named in the file)")
    .option("--store <file>", STORE)
    .option("--json", "print JSON instead of one line per turn")
    .addHelpText(
      "after",
      examples(
        [
          "replay session.jsonl",
          "replay session.jsonl --window 50k --strategy native --turns 100",
          "replay chat.json --json > replayed.json",
        ],
        REPLAY_NOTE,
      ),
    )
    .action(async (file: string, flags: ReplayFlags) =>
      (await import("../play/replay-file.ts")).replayFile(file, flags, terminal),
    );
}

export function addFileCommands(program: Command, terminal: Terminal): void {
  program
    .command("condense")
    .description("condense a conversation file and report the savings")
    .argument("<file>", LOG)
    .addOption(strategyOption("strategy to use, required").makeOptionMandatory())
    .option(
      "--budget <tokens>",
      "maximum size of the result: tokens, or a percentage of the conversation, for example 25%",
      argumentBudget,
    )
    .addOption(
      new Option(
        "--window <tokens>",
        "context window to condense for, with the gateway's default target (default: the model's)",
      )
        .argParser(argumentTokens)
        .conflicts("budget"),
    )
    .option(
      "--config <file>",
      "file with the strategy's settings (YAML or JSON), alone or as part of a gateway configuration",
    )
    .option("--model <id>", MODEL)
    .option("--out <file>", "write the condensed conversation to this file, in the input's format")
    .addOption(
      new Option("--print", "print the condensed conversation as the model reads it, instead of the report").conflicts(
        "json",
      ),
    )
    .option("--json", "print JSON instead of the report")
    .addHelpText(
      "after",
      examples(
        [
          "condense session.jsonl --strategy lossless --window 200k",
          "condense chat.json --strategy smart --budget 20k --out small.json",
          "condense session.jsonl --strategy smart --budget 25% --print",
          "condense session.jsonl --strategy native --json > small.json",
        ],
        CONDENSE_NOTE,
      ),
    )
    .action(async (file: string, flags: CondenseFlags) =>
      (await import("../logs/condense.ts")).condenseFile(file, flags, terminal),
    );
  program
    .command("count")
    .description("count the tokens of a conversation file by type")
    .argument("<file>", LOG)
    .option("--model <id>", MODEL)
    .option("--json", "print JSON")
    .addHelpText("after", examples(["count session.jsonl", "count request.json --model gpt-4o --json"]))
    .action(async (file: string, flags: CountFlags) =>
      (await import("../logs/count.ts")).countFile(file, flags, terminal),
    );
  addAnalyze(program, terminal);
}

function addAnalyze(program: Command, terminal: Terminal): void {
  program
    .command("analyze")
    .description("show where your tokens and money went, and what each strategy would have saved")
    .argument(
      "[paths...]",
      "session logs, API JSON, or folders of them (default: the logs of the clients on this machine)",
    )
    .addOption(
      new Option("--strategies <ids>", "only these strategies, separated by commas")
        .choices(STRATEGY_IDS)
        .argParser(argumentStrategies),
    )
    .option(
      "--window <tokens>",
      "context window to condense for (default: that of each session's model)",
      argumentTokens,
    )
    .option("--model <id>", "model of sessions that do not name one")
    .option("--details", "show each session: its tokens, its savings by strategy, and how well it was counted")
    .option("--json", "print JSON")
    .option("--html <file>", "write a self-contained HTML report with charts")
    .addHelpText(
      "after",
      examples(
        [
          "analyze",
          "analyze ~/.codex/sessions --html report.html",
          "analyze session.jsonl --window 128k --strategies lossless,smart",
        ],
        ANALYZE_NOTE,
      ),
    )
    .action(async (paths: string[], flags: AnalyzeFlags) =>
      (await import("../analyze/analyze.ts")).analyze(
        paths.length > 0 ? paths : (await import("../setup/detect.ts")).logFolders(terminal),
        flags,
        terminal,
      ),
    );
}

function argumentStrategies(text: string): string[] {
  const ids = text.split(",").map((id) => id.trim());
  const unknown = ids.find((id) => !STRATEGY_IDS.includes(id));
  if (unknown === undefined) return ids;
  throw new InvalidArgumentError(`Unknown strategy "${unknown}". Choose from ${STRATEGY_IDS.join(", ")}.`);
}

const DEMO_NOTE = "Nothing leaves this machine, and no API key is needed.";

const REPLAY_NOTE =
  "The conversation continues with the recorded replies; those of the simulated model are discarded. Nothing leaves this machine, and no API key is needed.";

const CONDENSE_NOTE = "Summaries are written without a model: nothing leaves this machine.";

const ANALYZE_NOTE =
  "Reads sessions of Claude Code, Codex, Gemini CLI, pi and Roo/Zoo/Cline, and Anthropic, OpenAI and Gemini JSON. Nothing leaves this machine.";
