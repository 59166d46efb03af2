import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { STRATEGIES } from "@longhaul/condense";
import { afterAll, describe, expect, it } from "vitest";
import { argumentClient } from "./commands/clients.ts";
import { run } from "./program.ts";
import { readVersion } from "./terminal/program-files.ts";
import { makeTerminal } from "./testing/terminal.ts";

const folder = mkdtempSync(join(tmpdir(), "longhaul-"));
afterAll(() => rmSync(folder, { recursive: true }));

async function call(...args: string[]) {
  const terminal = makeTerminal(folder);
  const exit = await run(args, terminal);
  return { exit, output: terminal.output(), errors: terminal.errors() };
}

async function helpOf(command: readonly string[]): Promise<string> {
  const { exit, output } = await call(...command, "--help");
  expect(exit).toBe(0);
  return output;
}

const COMMAND_LISTS = /^(?:Gateway|Clients|Sessions|Other|Commands):\n(?: {2}.*\n)+/gm;

/** Returns the full name of every command that has no subcommands. */
async function commandsBelow(above: readonly string[] = []): Promise<string[][]> {
  const lists = (await helpOf(above)).match(COMMAND_LISTS)?.join("") ?? "";
  const names = [...lists.matchAll(/^ {2}([a-z]+)/gm)].map(([, name = ""]) => name).filter((name) => name !== "help");
  const below = await Promise.all(names.map((name) => commandsBelow([...above, name])));
  return names.length === 0 ? [[...above]] : below.flat();
}

describe("on a terminal of 80 columns, in a clone", () => {
  const shownOn = async (args: readonly string[]) => {
    const size = { columns: 80, errorColumns: 80, isInteractive: true };
    const terminal = Object.assign(makeTerminal(folder, { npm_command: "exec" }), size);
    await run(args, terminal);
    return `${terminal.output()}${terminal.errors()}`;
  };

  it("breaks no line of the help a second time, and no example, and names the program as it was called", async () => {
    for (const command of [[], ...(await commandsBelow())]) {
      const text = await shownOn([...command, "--help"]);
      expect(text.split("\n").filter((line) => line.length > 80)).toEqual([]);
      expect(text.match(/`longhaul/g)).toBeNull();
      const [, examples = ""] = text.split("\nExamples:\n");
      for (const line of examples.split("\n").filter((each) => each !== "")) expect(line).toMatch(/^ {2}npx longhaul /);
    }
    expect(await shownOn(["usage", "--help"])).toMatch(/\nA block is .*, as\nsubscriptions limit usage\. Its burn /);
  });

  it("breaks the help without a command as it does with --help", async () => {
    expect(await shownOn([])).toBe(await shownOn(["--help"]));
  });

  it("breaks the sentences of `connect` between words, but no line that is copied", async () => {
    const text = await shownOn(["connect", "cline"]);
    expect(text).toContain("\ncline auth -p openai-compatible -k longhaul -m claude-sonnet-4-5 -b http://");
    const others = text.split("\n").filter((line) => !line.startsWith("cline auth"));
    expect(others.filter((line) => line.length > 80)).toEqual([]);
    const claude = await shownOn(["connect", "claude-code"]);
    expect(claude.split("\n").filter((line) => line.length > 80)).toEqual([]);
  });
});

describe("run", () => {
  it.each([
    [["stat"], "unknown command 'stat'"],
    [
      ["start", "--port", "http"],
      "the value 'http' is invalid for option '--port <port>'. Expected a port number from 0 to 65535.\nRun `longhaul start --help` for usage.",
    ],
    [["start", "--workers", "some"], "Expected a whole number, 0 or more."],
    [["dashboard", "--port", "http"], "Expected a port number"],
    [["simulate", "--port", "70000"], "Expected a port number"],
    [["windows", "--forget"], "argument missing"],
    [["config", "chek"], "(Did you mean check?)"],
    [["config", "schema", "a.json"], "too many arguments"],
    [["config", "check", "a.yaml", "b.yaml"], "too many arguments"],
    [["demo", "--port", "http"], "Expected a port number"],
    [["replay"], "missing required argument 'file'"],
    [["replay", "a.jsonl", "--window", "wide"], "Expected a number of tokens"],
    [["replay", "a.jsonl", "--strategy", "luck"], "Choose from native"],
    [["run"], "missing required argument 'client'"],
    [
      ["run", "emacs"],
      "'emacs' is invalid for argument 'client'. Choose from claude-code, codex, opencode, kilo-code, gemini",
    ],
    [["config", "chek"], "Run `longhaul config --help` for usage."],
  ])("exits with 2 and explains why for %j", async (args, reason) => {
    expect(await call(...args)).toMatchObject({ exit: 2, errors: expect.stringContaining(reason) });
  });

  it("lists every command in a group of the help", async () => {
    const help = await helpOf([]);
    expect(help).toMatch(/Try it with `longhaul demo --fast`.*Gateway:\n {2}start.*Other:.*help \[command\]/s);
    expect(help).not.toContain("\nCommands:");
  });

  it("prints examples in the help of every command", async () => {
    const commands = await commandsBelow();
    expect(commands.length).toBeGreaterThan(20);
    const lacking = await Promise.all(
      commands.map(async (command) => {
        const isExplained = (await helpOf(command)).includes(`Examples:\n  longhaul ${command.join(" ")}`);
        return isExplained || command[0] === "version" ? [] : [command.join(" ")];
      }),
    );
    expect(lacking.flat()).toEqual([]);
  });

  it("prints the version", async () => {
    expect(await call("--version")).toMatchObject({ exit: 0, output: `${readVersion()}\n` });
    const { exit, output } = await call("version");
    expect([exit, output]).toEqual([
      0,
      expect.stringMatching(/^longhaul \d+\.\d+\.\d+, Node \d+\.\d+\.\d+, \w+ \w+\n$/),
    ]);
  });

  it.each(["condense", "analyze"])("%s lists every strategy in its help", async (command) => {
    const choices = (await helpOf([command])).split("choices:")[1] ?? "";
    for (const { id } of STRATEGIES) expect(choices).toContain(`"${id}"`);
  });

  it.each(["create", "list", "change", "revoke"])("keys %s takes --json, --config and --store", async (command) => {
    expect(await helpOf(["keys", command])).toMatch(/--json.*--config <file>.*--store <file>/s);
  });

  it("offers `run` only for clients that it can start", async () => {
    const help = await helpOf(["run"]);
    expect(help).toMatch(/choices: "claude-code"/);
    expect(help).not.toContain("cursor");
    const { exit, errors } = await call("run", "cursor");
    expect([exit, errors]).toEqual([1, expect.stringContaining("see `longhaul connect cursor`")]);
  });
});

describe("argumentClient", () => {
  it("ignores the case of an ID", () => {
    expect(argumentClient("Claude-Code").name).toBe("Claude Code");
  });
});
