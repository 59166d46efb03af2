import { STRATEGIES } from "@longhaul/condense";
import { describe, expect, it } from "vitest";
import { runLogCommand } from "./testing/run-log-command.ts";
import { makeTerminal } from "./testing/terminal.ts";

describe.each(["condense", "count", "analyze"])("longhaul %s --help", (command) => {
  it("has examples", async () => {
    const terminal = makeTerminal("/nowhere");
    expect(await runLogCommand([command, "--help"], terminal)).toBe(0);
    expect(terminal.output()).toMatch(new RegExp(`Examples:\n  longhaul ${command} `));
  });
});

it("names every strategy to whoever has to choose one", async () => {
  const terminal = makeTerminal("/nowhere");
  await runLogCommand(["condense", "--help"], terminal);
  const help = terminal.output().replaceAll(/\s+/g, " ");
  for (const { id } of STRATEGIES) expect(help).toContain(id);
});
