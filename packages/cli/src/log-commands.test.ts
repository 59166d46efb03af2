import { STRATEGIES } from "@longhaul/condense";
import { expect, it } from "vitest";
import { runLogCommand } from "./testing/run-log-command.ts";
import { makeTerminal } from "./testing/terminal.ts";

it.each(["condense", "analyze"])("%s names every strategy to whoever has to choose", async (command) => {
  const terminal = makeTerminal("/nowhere");
  await runLogCommand([command, "--help"], terminal);
  const choices = terminal.output().split("choices:")[1] ?? "";
  for (const { id } of STRATEGIES) expect(choices).toContain(`"${id}"`);
});
