import { tmpdir } from "node:os";
import { STRATEGIES } from "@longhaul/condense";
import { expect, it } from "vitest";
import { run } from "../program.ts";
import { runLogCommand } from "../testing/run-log-command.ts";
import { makeTerminal } from "../testing/terminal.ts";

it.each(["condense", "analyze"])("%s names every strategy to whoever has to choose", async (command) => {
  const terminal = makeTerminal("/nowhere");
  await runLogCommand([command, "--help"], terminal);
  const choices = terminal.output().split("choices:")[1] ?? "";
  for (const { id } of STRATEGIES) expect(choices).toContain(`"${id}"`);
});

it.each([
  [["demo", "--port", "http"], '"http" is not a port'],
  [["replay"], "missing required argument 'file'"],
  [["replay", "a.jsonl", "--window", "wide"], '"wide" is no number of tokens'],
  [["replay", "a.jsonl", "--strategy", "luck"], "Allowed choices are native"],
])("%j is a wrong call", async (args, reason) => {
  const terminal = makeTerminal(tmpdir());
  expect([await run(args, terminal), terminal.errors()]).toEqual([2, expect.stringContaining(reason)]);
});
