import { tmpdir } from "node:os";
import { expect, it } from "vitest";
import { run } from "./program.ts";
import { makeTerminal } from "./testing/terminal.ts";

it.each([
  [["demo", "--port", "http"], '"http" is not a port'],
  [["replay"], "missing required argument 'file'"],
  [["replay", "a.jsonl", "--window", "wide"], '"wide" is no number of tokens'],
  [["replay", "a.jsonl", "--strategy", "luck"], "Allowed choices are native"],
])("%j is a wrong call", async (args, reason) => {
  const terminal = makeTerminal(tmpdir());
  expect([await run(args, terminal), terminal.errors()]).toEqual([2, expect.stringContaining(reason)]);
});
