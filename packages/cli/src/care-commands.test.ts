import { tmpdir } from "node:os";
import { expect, it } from "vitest";
import { run } from "./program.ts";
import { makeTerminal } from "./testing/terminal.ts";

it.each(["usage", "statusline", "doctor", "import", "completion"])(
  "%s explains itself with examples",
  async (command) => {
    const terminal = makeTerminal(tmpdir());
    expect(await run([command, "--help"], terminal)).toBe(0);
    expect(terminal.output()).toContain(`Examples:\n  longhaul ${command}`);
  },
);

it("tells versions", async () => {
  const terminal = makeTerminal(tmpdir());
  expect(await run(["version"], terminal)).toBe(0);
  expect(terminal.output()).toMatch(/^longhaul \d+\.\d+\.\d+, Node \d+\.\d+\.\d+, \w+ \w+\n$/);
});
