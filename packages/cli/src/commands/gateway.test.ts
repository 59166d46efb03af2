import { tmpdir } from "node:os";
import { expect, it } from "vitest";
import { run } from "../program.ts";
import { makeTerminal } from "../testing/terminal.ts";

it.each([
  [["start", "--workers", "some"], '"some" is no count'],
  [["dashboard", "--port", "http"], '"http" is not a port'],
  [["simulate", "--port", "70000"], '"70000" is not a port'],
  [["windows", "--forget"], "argument missing"],
])("%j is a wrong call", async (args, reason) => {
  const terminal = makeTerminal(tmpdir());
  expect(await run(args, terminal)).toBe(2);
  expect(terminal.errors()).toContain(reason);
});
