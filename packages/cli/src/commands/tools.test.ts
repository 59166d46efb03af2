import { tmpdir } from "node:os";
import { expect, it } from "vitest";
import { run } from "../program.ts";
import { makeTerminal } from "../testing/terminal.ts";

it("tells versions", async () => {
  const terminal = makeTerminal(tmpdir());
  expect(await run(["version"], terminal)).toBe(0);
  expect(terminal.output()).toMatch(/^longhaul \d+\.\d+\.\d+, Node \d+\.\d+\.\d+, \w+ \w+\n$/);
});
